import type { Outcome } from '#lib/commands/command.ts'
import type { AmountComparison } from '#lib/deposits/amounts.ts'
import type { HandOver } from '#lib/deposits/deposit.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber, visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import type {
  AccountStatement,
  ColumnMapping,
  DraftMapping,
  FileFault,
  PaymentLine,
  ReadSummary,
  StatementFormat,
  TableView,
} from './file/statement.ts'

export type AmountVerdict = AmountComparison | 'other-currency' | 'unreadable'

/** Nothing is stored yet. */
export interface ImportPreview {
  readonly seal: string
  readonly format: StatementFormat
  readonly lines: number
  readonly leftOut: number
  readonly accounts: readonly AccountStatement[]
  readonly summary: ReadSummary
  readonly mapping: ColumnMapping | null
  readonly head: TableView | null
  /** The operator confirmed another preview: the file or its reading changed. */
  readonly isChanged: boolean
}

export type ImportAnswer =
  | { readonly kind: 'imported'; readonly id: string; readonly already: boolean }
  | { readonly kind: 'preview'; readonly preview: ImportPreview }
  /** `why`: the reason for asking the operator again. */
  | { readonly kind: 'columns'; readonly head: TableView; readonly draft: DraftMapping; readonly why: string | null }
  /** `draft`: the remembered mapping that failed; null if it was sent. */
  | {
      readonly kind: 'broken'
      readonly faults: readonly FileFault[]
      readonly head: TableView | null
      readonly draft: DraftMapping | null
    }

export interface RunSummary {
  readonly batch: string
  /** No lookup has begun since. */
  readonly isLatest: boolean
  readonly confirmed: number
  /** Of the confirmed deposits: decimal text, in BZD. */
  readonly sum: string
  readonly notDone: number
  readonly notKnown: number
}

export interface StatementWork {
  readonly work: 'look' | 'confirm' | null
  readonly by: string
  readonly done: number
  readonly total: number
  readonly stopping: boolean
  /** The process died before the work ended. */
  readonly cutOff: boolean
  /** A process with the starter's session will continue the work. */
  readonly goesOn: boolean
  /** ISO 8601. */
  readonly pausedUntil: string | null
  readonly ended: string
  /** The work stopped for a code; an operator with a code can continue it. */
  readonly wantsCode: boolean
  /** Counts from 1; 0 if there was none. */
  readonly run: number
  /** Of the latest confirmation run. */
  readonly summary: RunSummary | null
}

export interface StatementProgress {
  readonly work: StatementWork
  readonly open: number
}

export type LineCounts = Readonly<Partial<Record<LineStatus, number>>>

export interface DoneBy {
  readonly by: string
  readonly at: string
}

/** The service has this reference. It confirms nothing until an operator accepts it. */
export interface Suggestion {
  readonly reference: string
  /** `field`: in the reference field, written otherwise. `payer`: of a wallet that the payer's account paid before. */
  readonly foundIn: 'field' | 'text' | 'payer'
  readonly state: string
  readonly debit: string
  /** Of `payer` only. `last` is a day such as 2026-11-14. */
  readonly paidBefore: { readonly count: number; readonly last: string } | null
}

export interface FoundReferences {
  readonly lines: readonly {
    readonly number: number
    readonly amount: string
    readonly currency: string
    /** May be cut. */
    readonly text: string
    /** In the line's reference field. */
    readonly given: string
    readonly reference: string
  }[]
  readonly seal: string
}

export interface LineAt {
  readonly statementId: string
  readonly number: number
  readonly fileName: string
}

export interface Confirmation {
  readonly commandId: string
  readonly by: string
  /** ISO 8601; null while the outcome is unknown. */
  readonly at: string | null
  readonly line: LineAt | null
}

export interface LineTotal {
  readonly status: LineStatus
  /** BZD if the statement names none. */
  readonly currency: string
  readonly count: number
  readonly sum: string
}

/** Bank texts are cut for display. */
export interface LineView extends Omit<PaymentLine, 'account' | 'reference'> {
  /** It could be confirmed, and does not fit the reader's limit. */
  readonly isOverLimit?: boolean
  readonly handOver?: HandOver
  readonly statementId: string
  readonly number: number
  readonly sought: string
  /** `text` and `found`: found in the line's text or field and accepted by an operator, singly or with others. */
  readonly soughtFrom: 'field' | 'text' | 'found' | 'payer' | 'hand'
  readonly suggestions: readonly Suggestion[]
  readonly given: { readonly reference: string; readonly bankReference: string }
  readonly bankFrom: 'field' | 'hand'
  readonly soughtEntered: DoneBy | null
  readonly bankEntered: DoneBy | null
  readonly edited: DoneBy | null
  readonly editId: string | null
  readonly status: LineStatus
  /** The line is ready, but a run skips it, because the policy requires an approval or a passkey. */
  readonly needsApproval: boolean
  readonly hold: LineHold | null
  readonly found: { readonly state: string; readonly debit: string; readonly amount: AmountVerdict } | null
  readonly lookedAt: string | null
  /** The first earlier line with the same value. */
  readonly sameReference: LineAt | null
  readonly sameBankReference: LineAt | null
  readonly bankHolder: Confirmation | null
  /** Made from this line or elsewhere in this console. */
  readonly confirmation: Confirmation | null
  readonly problem: string | null
  readonly note: string | null
  readonly setAside: { readonly reason: string; readonly by: string | null } | null
  readonly seen: LineAt | null
  readonly outcome: Outcome | null
  readonly commandId: string | null
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Of a reference that was accepted from the line, as it is written now: the text may be erased. */
export function isFromField(
  sought: string,
  { field, text }: { readonly field: string; readonly text: string },
): boolean {
  const [wanted, inField, inText] = [sought, field, text].map(lettersAndDigits) as [string, string, string]
  return inField === wanted || (inField.includes(wanted) && !inText.includes(wanted))
}

/** In words, as {@link isFromField}. */
export const placeOfReference = ({ sought, given, text }: Pick<LineView, 'sought' | 'given' | 'text'>): string =>
  isFromField(sought, { field: given.reference, text }) ? 'reference field' : 'free text'

export const REASON_MAX_CHARS = 500

/** In words; null if the reason can be stored. `wanted`: what to enter. */
export function reasonFault(reason: string, wanted: string): string | null {
  if (reason.trim() === '') return wanted
  if ([...reason].length > REASON_MAX_CHARS) return `At most ${REASON_MAX_CHARS} characters.`
  return holdsCardNumber(reason) ? CARD_NUMBER_WORDS : null
}

/** `Account 100200, statement 14`; empty if the file names no account. */
export function accountWords(accounts: readonly AccountStatement[]): string {
  const named = accounts.filter(({ account }) => account !== '')
  const names = [...new Set(named.map(({ account }) => visibleText(account)))]
  const numbers = named.map(({ number }) => number).filter((number) => number !== '')
  if (names.length === 0) return ''
  if (names.length > 1) return `${formatCount(names.length)} accounts`
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first === undefined || last === undefined) return `Account ${names[0]}`
  return `Account ${names[0]}, ${numbers.length === 1 ? 'statement' : 'statements'} ${visibleText(first)}${first === last ? '' : ` to ${visibleText(last)}`}`
}

/** These are query values. `elsewhere`: confirmed, but not by this line. */
export const lineStatuses = [
  'ready',
  'by-hand',
  'mismatched',
  'elsewhere',
  'unknown',
  'refused',
  'unread',
  'open',
  'done',
  'set-aside',
] as const

export type LineStatus = (typeof lineStatuses)[number]

export const lineStatusWords: Readonly<Record<LineStatus, string>> = {
  ready: 'Ready',
  'by-hand': 'To confirm by hand',
  mismatched: 'Mismatched',
  elsewhere: 'Confirmed elsewhere',
  unknown: 'Unknown reference',
  refused: 'Not done',
  unread: 'Not looked up',
  open: 'Not known yet, or in progress',
  done: 'Done',
  'set-aside': 'Set aside',
}

export type LineHold =
  | 'no-bank-reference'
  | 'bank-reference-taken'
  | 'deposit-under-way'
  /** An earlier line names the same reference or bank reference, in any statement. */
  | 'other-line'
  | 'moved'

export const isHandled = (status: LineStatus): boolean => status === 'done' || status === 'set-aside'

export function lineEditWords(what: string): string {
  switch (what) {
    case 'reference':
      return 'reference entered'
    case 'accept':
      return 'suggested reference accepted'
    case 'accept-payer':
      return 'reference suggested by earlier payments accepted'
    case 'accept-found':
      return 'found reference accepted'
    case 'bank-reference':
      return 'bank’s reference entered'
    // Older journal events have the second name.
    case 'set-aside':
    case 'park':
      return 'set aside'
    case 'put-back':
    case 'unpark':
      return 'put back'
    case 'look':
      return 'looked up again'
    default:
      return what
  }
}
