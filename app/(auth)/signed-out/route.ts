import type { NextRequest } from 'next/server'
import { buttonVariants } from '#components/ui/button.tsx'
import { SIGNING_OUT_COOKIE } from '#lib/session/cookie.ts'
import { currentSession } from '#lib/session/current.ts'
import { faultPage, html, plainPage } from '../plain-page.ts'

export async function GET({ nextUrl, cookies }: NextRequest): Promise<Response> {
  try {
    if ((await currentSession()) !== null) return new Response(null, { status: 303, headers: { location: '/' } })
  } catch (error) {
    return faultPage('Sign-out not confirmed', error)
  }
  const state = nextUrl.searchParams.get('state')
  const back = state !== null && state === cookies.get(SIGNING_OUT_COOKIE)?.value
  const hereOnly = nextUrl.searchParams.get('only') === 'here'
  return plainPage({
    title: 'Signed out',
    body: html`<div class="grid justify-items-start gap-3">
<h1>Signed out</h1>
<p class="text-secondary-foreground">You are signed out of this console.${
      back ? ' Single sign-on was asked to end its session too.' : null
    }</p>
${
  hereOnly
    ? html`<p class="text-secondary-foreground">You may still be signed in to single sign-on. On a shared computer, close the browser.</p>`
    : null
}
<a href="/sign-in" class="${buttonVariants({ variant: 'outline' })}">Sign in again</a>
</div>`,
  })
}
