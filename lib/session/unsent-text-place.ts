/** UTF-16 code units, as form fields count them. */
export const UNSENT_TEXT_MAX_CHARS = 10_000

export interface KeptText {
  /** A page left open must not save its text for the next person who signs in. */
  readonly owner: string
  readonly place: string
  readonly text: string
  /** Of the latest write to the place; later writes have greater ones. 0 when nothing is stored. */
  readonly version: number
  /** Text of another page that the page which wrote `text` had not shown. */
  readonly other: string | null
}

export const depositPlace = (reference: string): string => `deposit:${reference}`

export const caseNotePlace = (caseId: string): string => `case-note:${caseId.toLowerCase()}`

export const messagePlace = (caseId: string): string => `case:${caseId.toLowerCase()}`

export const reasonPlace = (caseId: string): string => `resolve:${caseId.toLowerCase()}`
