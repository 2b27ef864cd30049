import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { config as configuration } from '#lib/config/config.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { HANDLE_COOKIE } from '#lib/session/cookie.ts'
import { answerHeaders, fileHeaders } from '#lib/session/security-headers.ts'
import { CONSOLE_PATH_HEADER, signInPath } from '#lib/session/sign-in/paths.ts'

const PUBLIC_PAGES = new Set(['/sign-in', '/signed-in', '/signed-out'])

/**
 * Headers, a nonce, and a cheap redirect of visitors without a cookie. It looks at no session: the guard is in every
 * page and every handler.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl
  if (isFile(pathname)) return withHeaders(NextResponse.next(), fileHeaders(configuration()))
  const page = !pathname.startsWith('/api/')
  const headers = answerHeaders(configuration(), randomBytes(16).toString('base64'), page)
  const forwarded = new Headers(request.headers)
  forwarded.set('content-security-policy', headers['content-security-policy'] ?? '')
  if (holdsNul(pathname + search) || isNoText(pathname))
    return withHeaders(nothingHere(request, forwarded, page), headers)
  if (page && !PUBLIC_PAGES.has(pathname) && !request.cookies.has(HANDLE_COOKIE)) {
    return withHeaders(withoutCookie(request, pathname + search), headers)
  }
  forwarded.set(CONSOLE_PATH_HEADER, pathname + search)
  return withHeaders(NextResponse.next({ request: { headers: forwarded } }), headers)
}

/**
 * A link in a mail, or the identity provider, brings people from another site, and then the browser holds a Strict
 * cookie back. Such a visit gets a page that asks for itself again, which is a visit from here.
 */
function withoutCookie(request: NextRequest, here: string): NextResponse {
  const fromElsewhere = request.headers.get('sec-fetch-site') === 'cross-site'
  if (fromElsewhere && request.headers.get('sec-fetch-dest') === 'document') {
    const body =
      '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0"><link rel="icon" href="/icon.svg"><title>Operator Console</title></html>'
    return new NextResponse(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
  return NextResponse.redirect(new URL(signInPath(null, here), configuration().baseUrl))
}

/** No address of ours holds a NUL, and no store takes one: it is refused here, once for all pages and handlers. */
const holdsNul = (address: string): boolean => address.includes('%00') || address.includes('\0')

/** Escapes that are no text. */
function isNoText(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return false
  } catch {
    return true
  }
}

function nothingHere(request: NextRequest, forwarded: Headers, page: boolean): NextResponse {
  if (page) return NextResponse.rewrite(new URL('/not-found', request.url), { request: { headers: forwarded } })
  const problem = problemOf('service', { status: 400, title: 'This address holds a character that no address has.' })
  return NextResponse.json({ ok: false, fields: {}, problem }, { status: 400 })
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** Built files, the same for everyone: they need no cookie, and browsers may keep them. */
const isFile = (pathname: string): boolean =>
  pathname.startsWith('/_next/static/') || pathname === '/icon.svg' || pathname === '/favicon.ico'
