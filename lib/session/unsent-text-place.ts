/** What a person typed and has not sent is kept up to this length, in UTF-16 code units as fields count them. */
export const UNSENT_TEXT_MAX_CHARS = 10_000

/** What is kept for one place, and whose it is. */
export interface KeptText {
  /** The actor who typed it: a page that is still open when somebody else has signed in keeps nothing for them. */
  readonly owner: string
  readonly place: string
  /** Empty when nothing is kept. */
  readonly text: string
}

/** One write of a text: which page made it, and its number there, from 1. */
export interface TextWrite {
  readonly page: string
  readonly number: number
}

/**
 * The cookie by which a page that is left announces the writes that are on their way: `[place, page, number]` of each, as
 * URI-encoded JSON, without a number where no text is left. The next page waits for them. It holds no text.
 */
export const LEAVING_COOKIE = 'console.leaving'

/** Where the fields of one deposit's confirmation are kept. */
export const depositPlace = (reference: string): string => `deposit:${reference}`

/** Where the unsent internal note on one case is kept. */
export const caseNotePlace = (caseId: string): string => `case-note:${caseId.toLowerCase()}`

/** Where the message of one case is kept. */
export const messagePlace = (caseId: string): string => `case:${caseId.toLowerCase()}`

/** Where the reason of one case's resolution is kept. */
export const reasonPlace = (caseId: string): string => `resolve:${caseId.toLowerCase()}`
