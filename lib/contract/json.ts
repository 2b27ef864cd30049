/**
 * A JSON number as it is written on the wire. Money travels as JSON numbers in requests (interface.md, "Conventions on
 * data"), and a JavaScript number cannot hold eight places of a large amount, so the literal itself is kept.
 */
export class JsonNumber {
  readonly source: string

  /** `source` must be a JSON number literal, for example `250.00`; anything else throws a SyntaxError. */
  constructor(source: string) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source)) throw new SyntaxError('not a JSON number')
    this.source = source
  }

  toJSON(): RawJson {
    return JSON.rawJSON(this.source)
  }
}

/** Parses JSON text; every number in it becomes a {@link JsonNumber}. Throws SyntaxError on malformed text. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? new JsonNumber(context.source) : value,
  )
}
