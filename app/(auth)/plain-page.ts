import { unstable_rethrow } from 'next/navigation'
import { BRAND_RING, titleOf } from '#components/frame/brand.tsx'
import { consoleProblem } from '#lib/commands/send.ts'
import { httpServer } from '#lib/http/http-server.ts'
import type { Preferences } from '#lib/session/preferences.ts'
import { type Html, htmlTag } from '#lib/values/html.ts'

export const html = htmlTag()

interface PlainPage {
  readonly title: string
  readonly body: Html
  readonly head?: Html
  readonly status?: number
  readonly theme?: Preferences['theme']
}

export const LINK = 'text-primary underline underline-offset-4'

/** A page without scripts, for people who are not signed in. */
export function plainPage({ title, body, head, status = 200, theme = 'system' }: PlainPage): Response {
  const styles = httpServer()?.styleSheets() ?? []
  const page = html`<!doctype html>
<html lang="en" translate="no"${theme === 'system' ? null : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="google" content="notranslate">
${head ?? null}
<title>${titleOf(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
</head>
<body>
<div class="mx-auto grid min-h-dvh w-full max-w-sm content-start gap-6 px-5 pt-[14vh] pb-10">
<header>${BRAND}</header>
<main>${body}</main>
</div>
</body>
</html>
`
  return new Response(page.text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

const BRAND = html`<span class="flex items-center gap-2.5 font-[650] tracking-[-0.01em]">
<svg viewBox="0 0 32 32" aria-hidden="true" class="size-5 shrink-0 text-primary">
<rect width="32" height="32" rx="7" fill="currentColor"/><path d="${BRAND_RING}" class="fill-primary-foreground"/>
</svg>
<span>Operator Console</span>
</span>`

/** The same icons as in `lucide-react`, which only React can render. */
const icon = (shape: Html, className = ''): Html =>
  html`<svg aria-hidden="true" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="${className}">${shape}</svg>`

export const alertIcon = (className = ''): Html =>
  icon(
    html`<circle cx="12" cy="12" r="10"/><line x1="12" x2="12" y1="8" y2="12"/><line x1="12" x2="12.01" y1="16" y2="16"/>`,
    className,
  )

export const KEY_ICON = icon(
  html`<path d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z"/><circle cx="16.5" cy="7.5" r=".5" fill="currentColor"/>`,
)

export function faultPage(title: string, error: unknown): Response {
  unstable_rethrow(error)
  const problem = consoleProblem(error)
  return notNow(title, problem.status ?? 500, `${problem.title}.`)
}

export const notNow = (title: string, status: number, why: string): Response =>
  plainPage({
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="mt-1 text-secondary-foreground">${why} <a href="/sign-in" class="${LINK}">Go to sign-in</a></p>`,
  })

export const movingPage = (title: string, address: string, words: string): Response =>
  plainPage({
    title,
    head: html`<meta http-equiv="refresh" content="0;url=${address}">`,
    body: html`<h1>${title}</h1>
<p class="mt-1 text-secondary-foreground"><a href="${address}" class="${LINK}">${words}</a></p>`,
  })
