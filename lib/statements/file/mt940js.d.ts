/** The part of the library that is used here; it brings no types. */
declare module 'mt940js' {
  interface Tag {
    readonly id: string | number
    readonly data: string
  }
  interface Transaction {
    readonly date: Date
    readonly reference: string
    readonly bankReference: string
    readonly details: string
  }
  interface Statement {
    readonly currency: string
    readonly transactions: readonly Transaction[]
    readonly tags: readonly Tag[]
  }
  export class Parser {
    constructor(options?: { readonly no86Structure?: boolean })
    parse(text: string, withTags: true): readonly Statement[]
  }
}
