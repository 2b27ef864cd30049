import { CARD_NUMBER_WORDS, holdsCardNumber, textFault, visibleText } from '#lib/values/text.ts'

export interface Claim {
  readonly caseId: string
  readonly holder: string
  readonly holderName: string
  readonly since: string
}

export interface Person {
  readonly actor: string
  readonly name: string
}

export interface StaffMember extends Person {
  /** The first day back. */
  readonly awayUntil: string | null
}

/** A possible assignee with the open cases assigned to them, as far as the reader may see these. */
export interface Colleague extends StaffMember {
  readonly cases: number
  readonly overTarget: number
  /** Cases with messages that they have not read; null unless the messages of all were read here. */
  readonly unread: number | null
}

export interface People {
  readonly people: readonly Colleague[]
  /** The operator; with a load if seen here with the scope to decide cases. */
  readonly me: StaffMember | Colleague
  readonly setsAbsences: boolean
}

/** Never sent to the service. */
export interface CaseNote {
  readonly id: string
  readonly authorName: string
  readonly text: string
  readonly at: string
  readonly mentions: readonly Person[]
  /** It mentions the reader, who has not seen it. */
  readonly isForMe: boolean
}

export const ASSIGN_MAX = 50

export type NewAssignee = 'me' | 'none' | { readonly person: string; readonly note: string }

export interface CaseAssigned {
  readonly caseId: string
  /** `changed`: no longer assigned to the person from whom it was to be taken, or no longer open. */
  readonly end: 'done' | 'changed' | 'not-done' | 'not-known'
  readonly why: string
}

/** `chosen`: the reason, as in `over target by 5 h`. `why`: why no case is known to be assigned. */
export type NextAssigned =
  | { readonly caseId: string; readonly chosen: string }
  | { readonly why: string }
  /** The person is away, and has to confirm. */
  | { readonly awayUntil: string }

export const awayWords = (until: string): string => `away until ${until}`

export interface Snooze {
  /** ISO 8601. Null for an old snooze, which ends only when a party writes. */
  readonly until: string | null
}

/** Must stay hidden from the case's parties. */
export interface CaseWorkspace {
  readonly me: string
  readonly open: boolean
  readonly mayWork: boolean
  readonly claim: Claim | null
  readonly snooze: Snooze | null
  /** Null if the reader does not watch the case. `notes`: of others, not seen. */
  readonly watch: { readonly notes: number } | null
  /** ISO 8601; as in `QueueRow`. */
  readonly answerBy: string | null
  /** Only the assignee may write and decide. */
  readonly closed: boolean
  readonly viewers: readonly Person[]
  readonly notes: readonly CaseNote[]
  readonly earlierNotes: number
  readonly people: readonly Colleague[]
  readonly authors: readonly Person[]
}

export const closedTitle = (holderName: string): string =>
  `This case is assigned to ${holderName}, who alone can write, add notes and resolve it`

export const closedAdvice = 'Nothing was sent. Reassign the case to yourself first.'

export const closedWords = ({ closed, claim, me }: CaseWorkspace): string | null =>
  closed && claim !== null && claim.holder !== me
    ? `${closedTitle(visibleText(claim.holderName))}. Reassign the case to yourself first.`
    : null

const SNOOZE_MAX_DAYS = 90

/** `until`: ISO 8601. */
export function laterTimeFault(until: string, nowMs: number): string | null {
  const end = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(until) ? Date.parse(until) : Number.NaN
  if (Number.isNaN(end)) return 'Enter a day and a time.'
  if (end <= nowMs) return 'This time has passed. Enter a later time.'
  return end > nowMs + SNOOZE_MAX_DAYS * 86_400_000 ? `At most ${SNOOZE_MAX_DAYS} days from now.` : null
}

const CASE_NOTE_MAX_CHARS = 4_000

export function caseNoteFault(text: string): string | null {
  if (text.trim() === '') return 'Enter a note.'
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : textFault(text.trim(), CASE_NOTE_MAX_CHARS)
}

export const casePlace = ({ target }: { readonly target: string }) => ({
  href: `/disputes/${encodeURIComponent(target)}`,
  words: 'Open the case',
})
