// JSON.parse source text access and JSON.rawJSON: in Node since 21, not yet in TypeScript's library.
interface RawJson {
  readonly rawJSON: string
}

interface JSON {
  rawJSON(text: string): RawJson
  isRawJSON(value: unknown): value is RawJson
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}
