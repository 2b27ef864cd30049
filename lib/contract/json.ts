/** Requests carry money as JSON numbers (interface.md, "Conventions on data"); a JavaScript number is not exact. */
export class JsonNumber {
  readonly source: string

  /** Throws SyntaxError if the text is not a JSON number. */
  constructor(source: string) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source)) throw new SyntaxError('not a JSON number')
    this.source = source
  }

  toJSON(): RawJson {
    return JSON.rawJSON(this.source)
  }
}

/** Throws SyntaxError. Numbers become {@link JsonNumber}. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? new JsonNumber(context.source) : value,
  )

/** Null if it is no JSON. Numbers stay numbers. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** PostgreSQL rejects NUL, and a lone surrogate would change. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** `%252e` is a dot that was escaped twice. */
const unescaped = (text: string): string =>
  text
    .replace(/%(?:25)*2e/gi, '.')
    .replace(/%(?:25)*2f/gi, '/')
    .replace(/%(?:25)*5c/gi, '\\')

/** URL parsers read `%2e%2e` as `..`. */
const hasStep = (text: string): boolean => /(^|[/\\])\.{1,2}($|[/\\])/.test(unescaped(text))

export const isSegment = (text: string): boolean => text !== '' && isStorable(text) && !hasStep(text)

export const UNSTORABLE_WORDS = 'It has a character that cannot be sent. Enter it again.'

/** Iterative, because deeply nested input would overflow the call stack. */
export function isStorableThroughout(value: unknown): boolean {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string' && !isStorable(next)) return false
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && !Object.keys(next).every(isStorable)) return false
    for (const inner of Object.values(next)) left.push(inner)
  }
  return true
}
