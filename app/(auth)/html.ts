/** Interpolated strings are escaped; `Html` values are not. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | readonly Html[] | null

const escapedText = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function textOf(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  return typeof part === 'string' ? escapedText(part) : part.map(textOf).join('')
}

/** html`<p title="${title}">${text}</p>`. Attribute values must be quoted, or the escaping does not protect them. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(textOf)))
