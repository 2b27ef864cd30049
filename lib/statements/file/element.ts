import 'server-only'
import { XMLParser } from 'fast-xml-parser'

export const xmlParser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // Without it the parser does not decode character references (`&#45;`).
  htmlEntities: true,
})

/** Without the XML declaration and comments above the first element. */
export function withoutProlog(text: string): string {
  let rest = text.replace(/^\ufeff/, '').trimStart()
  for (;;) {
    const [start] = /^(<\?xml\s|<!--)/i.exec(rest) ?? []
    const end = start === '<!--' ? '-->' : '?>'
    const at = start === undefined ? -1 : rest.indexOf(end)
    if (at === -1) return rest
    rest = rest.slice(at + end.length).trimStart()
  }
}

/** A parsed element: its text, or its children by name. */
export type Element = string | { readonly [name: string]: Element | readonly Element[] }

export const all = (element: Element | undefined, name: string): readonly Element[] => {
  const found = typeof element === 'object' && Object.hasOwn(element, name) ? element[name] : undefined
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found as Element]
}

export const at = (element: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((here, name) => all(here, name)[0], element)

/** Empty if there is none. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string {
  const found = at(element, ...path)
  const text = typeof found === 'string' ? found : found?.['#text']
  return typeof text === 'string' ? text.trim() : ''
}

export const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
