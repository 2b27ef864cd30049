import { createHash } from 'node:crypto'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Html, html, page } from '#sandbox/http/html.ts'

/** Sends the form without a click. */
const SUBMIT = "document.getElementById('op.logoutForm').submit()"

const submitHash = `'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`

/**
 * `/idp/session/end`. A person who comes here is asked. An application that is registered, and says so, has asked already:
 * its form leaves by itself.
 */
export function showSignOut(context: KoaContextWithOIDC, form: string): void {
  const asked = context.oidc.client !== undefined
  show(
    context,
    page(
      'Sign out',
      html`
      <h1>Sign out of single sign-on?</h1>
      <p>Every application that you signed in to with it signs you out as well.</p>
      ${new Html(form)}
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      ${asked ? leaving : html``}`,
    ),
  )
}

/** The field stands in for the button, which a script does not press. */
const leaving = html`
  <input type="hidden" form="op.logoutForm" name="logout" value="yes">
  <script>${new Html(SUBMIT)}</script>`

/** Where a sign-out ends that names no address to return to. */
export function showSignedOut(context: KoaContextWithOIDC): void {
  const words = 'You are signed out of single sign-on, and of every application that listens to it.'
  show(context, page('Signed out', html`<h1>Signed out</h1><p>${words}</p>`))
}

/** What the provider refuses to go on with, in its own words. */
export function showFailure(context: KoaContextWithOIDC, { error, error_description: why }: ErrorOut): void {
  show(
    context,
    page('Refused', html`<h1>Single sign-on refuses this</h1><p><code>${error}</code></p><p>${why ?? ''}</p>`),
  )
}

function show(context: KoaContextWithOIDC, body: string): void {
  context.type = 'html'
  context.set(
    'content-security-policy',
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${submitHash}; frame-ancestors 'none'`,
  )
  context.body = body
}
