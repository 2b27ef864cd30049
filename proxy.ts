import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { isRoute } from '#lib/authorization/routes.ts'
import { config as configuration } from '#lib/config/config.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { HANDLE_COOKIE } from '#lib/session/cookie.ts'
import { callHeaders, pageHeaders, plainHeaders } from '#lib/session/security-headers.ts'
import { CONSOLE_PATH_HEADER, signInPath } from '#lib/session/sign-in/paths.ts'

/** Pages and handlers. Built files and the icon get their headers from the server itself (`guard-server.ts`). */
export const config = { matcher: ['/((?!_next/static/|icon\\.svg$|favicon\\.ico$).*)'] }

const NOT_FOUND = '/not-found'
/** A page is read: changes have handlers of their own, and there are no server actions. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Pages that run no script, and ask for no session. */
const PLAIN_PAGES = new Set(['/sign-in', '/signed-in', '/signed-out', NOT_FOUND])

/**
 * Headers, a nonce, and a cheap redirect of visitors without a cookie. It reads no session: every page and handler has the
 * guard.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl
  const here = pathname + search
  const isCall = pathname.startsWith('/api/')
  const isPlain = PLAIN_PAGES.has(pathname)
  if (!isCall && !isPlain && !request.cookies.has(HANDLE_COOKIE)) return withoutCookie(request, here)
  if (holdsNul(here) || isNoText(pathname)) return isCall ? refuseCall(400, NO_ADDRESS) : noSuchPage(request)
  if (!isRoute(pathname)) return isCall ? refuseCall(404, 'There is nothing here.') : noSuchPage(request)
  if (!isCall && !isPlain && !READS.has(request.method)) return notRead()
  const headers = new Headers(request.headers)
  headers.set(CONSOLE_PATH_HEADER, here)
  if (isCall || isPlain) {
    const own = isCall ? callHeaders(configuration()) : plainHeaders(configuration())
    return withHeaders(NextResponse.next({ request: { headers } }), own)
  }
  const own = pageHeaders(configuration(), randomBytes(16).toString('base64'))
  // The framework takes the nonce from here.
  headers.set('content-security-policy', own['content-security-policy'] ?? '')
  return withHeaders(NextResponse.next({ request: { headers } }), own)
}

/**
 * On a visit from another site, such as a link in a mail, the browser withholds the `SameSite=Strict` cookie. It gets a
 * page that navigates once more.
 */
function withoutCookie(request: NextRequest, here: string): NextResponse {
  const fromElsewhere = request.headers.get('sec-fetch-site') === 'cross-site'
  const response =
    fromElsewhere && request.headers.get('sec-fetch-dest') === 'document'
      ? new NextResponse(ASKS_AGAIN, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : NextResponse.redirect(new URL(signInPath(null, here), configuration().baseUrl))
  return withHeaders(response, plainHeaders(configuration()))
}

const ASKS_AGAIN =
  '<!doctype html><html lang="en"><meta http-equiv="refresh" content="0"><link rel="icon" href="/icon.svg"><title>Operator Console</title></html>'

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

const NO_ADDRESS = 'This address holds a character that no address has.'

const noSuchPage = (request: NextRequest): NextResponse =>
  withHeaders(NextResponse.rewrite(new URL(NOT_FOUND, request.url)), plainHeaders(configuration()))

const notRead = (): NextResponse =>
  withHeaders(new NextResponse(null, { status: 405, headers: { allow: 'GET, HEAD' } }), plainHeaders(configuration()))

function refuseCall(status: number, title: string): NextResponse {
  const problem = problemOf('service', { status, title })
  return withHeaders(NextResponse.json({ ok: false, fields: {}, problem }, { status }), callHeaders(configuration()))
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
