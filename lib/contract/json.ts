/**
 * Requests carry money as JSON numbers (interface.md, "Conventions on data"), but a JavaScript number cannot hold eight
 * places of a large amount.
 */
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
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? new JsonNumber(context.source) : value,
  )
}
