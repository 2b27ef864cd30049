/** UTF-16 code units, as form fields count them. */
export const UNSENT_TEXT_MAX_CHARS = 10_000

export interface KeptText {
  /** A page left open must not save its text for the next person who signs in. */
  readonly owner: string
  readonly place: string
  readonly text: string
  readonly awaited?: AnnouncedWrite | null
}

/** `number` counts the page's writes from 1; null when the text was removed. */
export interface AnnouncedWrite {
  readonly page: string
  readonly number: number | null
}

/** Lists unconfirmed writes, as URI-encoded JSON ({@link Announcement}[]), so that the next page waits for them. */
export const LEAVING_COOKIE = 'console.leaving'

export interface Announcement extends AnnouncedWrite {
  readonly owner: string
  readonly place: string
  /** The write failed before the page was left, so it will not arrive. */
  readonly failed: boolean
}

export const depositPlace = (reference: string): string => `deposit:${reference}`

export const caseNotePlace = (caseId: string): string => `case-note:${caseId.toLowerCase()}`

export const messagePlace = (caseId: string): string => `case:${caseId.toLowerCase()}`

export const reasonPlace = (caseId: string): string => `resolve:${caseId.toLowerCase()}`
