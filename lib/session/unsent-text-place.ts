/** What a person typed and has not sent is kept up to this length, in UTF-16 code units as fields count them. */
export const UNSENT_TEXT_MAX_CHARS = 10_000

/** What is kept for one place, and whose it is. */
export interface KeptText {
  /** The actor who typed it: a page that is still open when somebody else has signed in keeps nothing for them. */
  readonly owner: string
  readonly place: string
  /** Empty when nothing is kept. */
  readonly text: string
  /** The write of a later text that the page before announced as it was left, and that has not arrived. */
  readonly awaited?: AnnouncedWrite | null
}

/**
 * A write that a page announced as it was left. `number`: of the page's writes, from 1; null where it leaves no text.
 */
export interface AnnouncedWrite {
  readonly page: string
  readonly number: number | null
}

/**
 * The cookie by which a page that is left announces the writes that the store has not taken yet: an `Announcement` of each,
 * as URI-encoded JSON. The next page waits for what is on its way, and says so when it does not come. It holds no text.
 */
export const LEAVING_COOKIE = 'console.leaving'

export interface Announcement extends AnnouncedWrite {
  readonly owner: string
  readonly place: string
  /** It could not be stored when it was tried: it is not on its way, and the page was left all the same. */
  readonly failed: boolean
}

/** Where the fields of one deposit's confirmation are kept. */
export const depositPlace = (reference: string): string => `deposit:${reference}`

/** Where the unsent internal note on one case is kept. */
export const caseNotePlace = (caseId: string): string => `case-note:${caseId.toLowerCase()}`

/** Where the message of one case is kept. */
export const messagePlace = (caseId: string): string => `case:${caseId.toLowerCase()}`

/** Where the reason of one case's resolution is kept. */
export const reasonPlace = (caseId: string): string => `resolve:${caseId.toLowerCase()}`
