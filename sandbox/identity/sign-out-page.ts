import { createHash } from 'node:crypto'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Html, html, page } from '#sandbox/http/html.ts'

const SUBMIT = "document.getElementById('op.logoutForm').submit()"

const submitHash = `'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`

/** Asks a person for confirmation. A registered client has already asked, so its form submits automatically. */
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

/** Replaces the button's value, because the script does not press it. */
const leaving = html`
  <input type="hidden" form="op.logoutForm" name="logout" value="yes">
  <script>${new Html(SUBMIT)}</script>`

export function showSignedOut(context: KoaContextWithOIDC): void {
  const words = 'You are signed out of single sign-on, and of every application that listens to it.'
  show(context, page('Signed out', html`<h1>Signed out</h1><p>${words}</p>`))
}

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
