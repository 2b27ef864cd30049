export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[]

const asHtml = (value: Value): string => {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map((part) => part.text).join('')
  return String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Escapes values that are not {@link Html}. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, index) => `${text}${asHtml(values[index - 1] ?? '')}${part}`))

export const page = (title: string, body: Html, head: Html = html``): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2.5rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.35rem; } h2 { font-size: 1.05rem; margin-top: 2.5rem; }
  h3 { font-size: .95rem; margin: 1.75rem 0 .25rem; } h3 + p { margin: 0 0 .5rem; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .35rem .75rem .35rem 0; vertical-align: top; }
  tr + tr td { border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
  th { font-size: .85rem; opacity: .75; }
  pre {
    font: .85rem/1.5 ui-monospace, monospace; margin: 0; padding: .6rem .8rem; overflow-x: auto; border-radius: .4rem;
    background: color-mix(in srgb, currentColor 7%, transparent);
  }
  code, td.id { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
  form.narrow { max-width: 22rem; } label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
  input { font: inherit; width: 100%; padding: .45rem .6rem; box-sizing: border-box; }
  button { font: inherit; margin-top: 1.25rem; padding: .45rem 1rem; }
  .wrong { border-left: 3px solid #c33; padding: .4rem .8rem; }
  .table { overflow-x: auto; }
</style>
<main>${body}</main>
</html>`.text
