import type { NextRequest } from 'next/server'
import { safeReturnPath } from '#lib/session/sign-in/paths.ts'
import { html, LINK, plainPage } from '../plain-page.ts'

/**
 * The redirect comes from the identity provider's site, so the browser withholds the `SameSite=Strict` cookie. This page
 * navigates once more, and the browser sends it.
 */
export function GET({ nextUrl }: NextRequest): Response {
  const path = safeReturnPath(nextUrl.searchParams.get('to'))
  return plainPage({
    title: 'Signed in',
    head: html`<meta http-equiv="refresh" content="0;url=${path}">`,
    body: html`<h1>Signed in</h1>
<p class="mt-1 text-secondary-foreground"><a href="${path}" class="${LINK}">Continue to the console</a></p>`,
  })
}
