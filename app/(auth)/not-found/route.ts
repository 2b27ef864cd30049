import { chosenTheme } from '../../chosen-theme.ts'
import { html, LINK, plainPage } from '../plain-page.ts'

/** `proxy.ts` answers every address without a route from here. */
export async function GET(): Promise<Response> {
  return plainPage({
    title: 'Page not found',
    status: 404,
    theme: await chosenTheme(),
    body: html`<h1>Page not found</h1>
<p class="mt-1 text-secondary-foreground"><a href="/" class="${LINK}">Go to Home</a></p>`,
  })
}
