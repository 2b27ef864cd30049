/** Only a tag of {@link htmlTag} makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | null | readonly Part[]

/** Escapes all but {@link Html}, in html`<p title="${title}">${text}</p>`. Attribute values must be quoted. */
export function htmlTag(shown = (text: string): string => text) {
  const markupOf = (part: Part): string => {
    if (part === null) return ''
    if (part instanceof Html) return part.text
    if (typeof part === 'object') return part.map(markupOf).join('')
    return shown(String(part)).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  }
  return (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
    new Html(String.raw({ raw: strings }, ...parts.map(markupOf)))
}
