import { CARD_NUMBER_WORDS, holdsCardNumber, textFault } from '#lib/values/typed-line.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** Who works on a dispute case, as this console knows it. */
export interface Claim {
  /** In small letters. */
  readonly caseId: string
  /** The actor, as the journal writes it. */
  readonly holder: string
  readonly holderName: string
  /** ISO 8601. */
  readonly since: string
}

/** Somebody of this console. */
export interface Person {
  readonly actor: string
  readonly name: string
}

/** What staff wrote for staff about a case: never sent anywhere. */
export interface CaseNote {
  readonly id: string
  readonly authorName: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

/** So many cases can be assigned in one request. */
export const ASSIGN_MAX = 50

/** Who is to be the assignee of several cases: oneself, nobody, or a colleague, with an internal note on each. */
export type NewAssignee = 'me' | 'nobody' | { readonly person: string; readonly note: string }

/** What came of one of several cases. */
export interface CaseAssigned {
  readonly caseId: string
  readonly end: 'done' | 'not-done' | 'not-known'
  /** Why it is not done, or not known; else empty. */
  readonly why: string
}

/** That the assignee has put a case off. */
export interface Snooze {
  /** ISO 8601; null until one of its parties writes. */
  readonly until: string | null
}

/** What the console itself knows of a case: nothing of it is the service's, and its parties see nothing of it. */
export interface CaseWorkspace {
  /** The actor who asks. */
  readonly me: string
  /** It can be assigned: the service shows it as open. */
  readonly open: boolean
  /** Whether this person's scopes let them work on cases. */
  readonly mayWork: boolean
  readonly claim: Claim | null
  /** Null while its assignee works on it. */
  readonly snooze: Snooze | null
  /** Whether an assigned case takes messages, notes and a decision from its assignee alone. */
  readonly closed: boolean
  /** The others who have it open right now. */
  readonly viewers: readonly Person[]
  /** The latest, oldest first. */
  readonly notes: readonly CaseNote[]
  /** How many notes there are before those. */
  readonly earlierNotes: number
  /** To whom it can be reassigned. */
  readonly people: readonly Person[]
}

/** Of an assigned case that takes nothing from others. */
export const closedTitle = (holderName: string): string =>
  `This case is assigned to ${holderName}, and only its assignee writes, notes and decides in it`

export const closedAdvice = 'Nothing was sent. Reassign the case to yourself first.'

/** Why this person can neither write nor decide in a case of somebody else; null where they can. */
export const closedWords = ({ closed, claim, me }: CaseWorkspace): string | null =>
  closed && claim !== null && claim.holder !== me
    ? `${closedTitle(visibleText(claim.holderName))}. Reassign the case to yourself first.`
    : null

const SNOOZE_MAX_DAYS = 90

/** What is wrong with the end of a snooze (ISO 8601, or empty until an answer); null when nothing is. */
export function snoozeFault(until: string, nowMs: number): string | null {
  if (until === '') return null
  const end = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(until) ? Date.parse(until) : Number.NaN
  if (Number.isNaN(end)) return 'Give a day and a time.'
  if (end <= nowMs) return 'This is over already. Give a time that is still to come.'
  return end > nowMs + SNOOZE_MAX_DAYS * 86_400_000 ? `At most ${SNOOZE_MAX_DAYS} days from now.` : null
}

const CASE_NOTE_MAX_CHARS = 4_000

/** What is wrong with an internal note; null when nothing is. */
export function caseNoteFault(text: string): string | null {
  if (text.trim() === '') return 'Write the note first.'
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : textFault(text.trim(), CASE_NOTE_MAX_CHARS)
}
