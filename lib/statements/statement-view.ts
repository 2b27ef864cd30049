import type { Outcome } from '#lib/commands/command.ts'
import type { AmountComparison } from '#lib/deposits/index.ts'
import type {
  ColumnMapping,
  DraftMapping,
  FileFault,
  ReadSummary,
  StatementFormat,
  TableView,
} from './file/statement.ts'
import type { LineHold, LineStatus } from './statement-line.ts'

export type AmountVerdict = AmountComparison | 'other-currency' | 'unreadable'

/** How the file was read; nothing is stored yet. */
export interface ImportPreview {
  /** Sent to confirm this preview. */
  readonly seal: string
  readonly format: StatementFormat
  readonly lines: number
  readonly leftOut: number
  readonly summary: ReadSummary
  /** Both null unless the file is a table. */
  readonly mapping: ColumnMapping | null
  readonly head: TableView | null
  /** The operator confirmed another preview: the file or its reading has changed. */
  readonly isChanged: boolean
}

/** `already`: the same file was imported before. */
export type ImportAnswer =
  | { readonly kind: 'imported'; readonly id: string; readonly already: boolean }
  | { readonly kind: 'preview'; readonly preview: ImportPreview }
  /** The operator must map the columns. `why`: the reason for asking again. */
  | { readonly kind: 'columns'; readonly head: TableView; readonly draft: DraftMapping; readonly why: string | null }
  /** `draft`: the remembered mapping that failed; null if the operator sent the mapping. */
  | {
      readonly kind: 'broken'
      readonly faults: readonly FileFault[]
      readonly head: TableView | null
      readonly draft: DraftMapping | null
    }

/** Current work on a statement, or how the latest ended. */
export interface StatementWork {
  readonly work: 'look' | 'confirm' | null
  readonly by: string
  readonly done: number
  readonly total: number
  readonly stopping: boolean
  /** The process died before the work ended. */
  readonly cutOff: boolean
  /** Cut off, and a process with the starter's session will continue it. */
  readonly goesOn: boolean
  /** ISO 8601; null while it is not paused. */
  readonly pausedUntil: string | null
  /** In words; may be empty. */
  readonly ended: string
  /** The latest work stopped for a code; an operator with a code can continue it. */
  readonly wantsCode: boolean
  /** Counted from 1; 0 if there was none. */
  readonly run: number
}

export interface StatementNews {
  readonly work: StatementWork
  /** Lines with an unknown outcome. */
  readonly open: number
}

export type LineCounts = Readonly<Partial<Record<LineStatus, number>>>

export interface DoneBy {
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** A reference from the line's text that exists at the service. It confirms nothing until an operator accepts it. */
export interface Suggestion {
  readonly reference: string
  /** `field`: the reference field holds it with other spaces, another case or invisible characters. */
  readonly foundIn: 'field' | 'text'
  /** From the service, at the time of the lookup. */
  readonly state: string
  readonly debit: string
}

export interface LineAt {
  readonly statementId: string
  readonly number: number
  readonly fileName: string
}

/** `line`: the statement line that made it, if any. */
export interface Confirmation {
  readonly commandId: string
  readonly by: string
  /** ISO 8601; null while the outcome is unknown. */
  readonly at: string | null
  readonly line: LineAt | null
}

export interface LineTotal {
  readonly status: LineStatus
  readonly currency: string
  readonly count: number
  /** Decimal text. */
  readonly sum: string
}

/** Bank texts are cut to what a page can show. */
export interface LineView {
  readonly statementId: string
  readonly number: number
  /** Its place in the file. */
  readonly place: number
  /** The reference to look up; may be empty. */
  readonly sought: string
  /** `text`: found in the line's text and accepted by an operator. */
  readonly soughtFrom: 'field' | 'text' | 'hand'
  readonly suggestions: readonly Suggestion[]
  readonly amount: string
  readonly currency: string
  readonly bookedOn: string
  readonly text: string
  readonly bankReference: string
  /** From the file, before edits. */
  readonly given: { readonly reference: string; readonly bankReference: string }
  readonly bankFrom: 'field' | 'hand'
  /** The latest operators to enter the reference and the bank reference. */
  readonly soughtEntered: DoneBy | null
  readonly bankEntered: DoneBy | null
  /** The latest edit of any kind, and its journal entry. */
  readonly edited: DoneBy | null
  readonly editId: string | null
  readonly status: LineStatus
  /** A ready line that a run skips, because the policy requires an approval or a passkey. */
  readonly needsApproval: boolean
  readonly hold: LineHold | null
  /** From the service; the state is the latest that this console read. Null if nothing was found. */
  readonly found: { readonly state: string; readonly debit: string; readonly amount: AmountVerdict } | null
  /** ISO 8601; null if it was not looked up yet. */
  readonly lookedAt: string | null
  /** The first earlier line with the same reference, or the same bank reference. */
  readonly sameReference: LineAt | null
  readonly sameBankReference: LineAt | null
  /** The command that holds this bank reference for another payment. */
  readonly bankHolder: Confirmation | null
  /** The deposit's confirmation, from this line or elsewhere in this console. */
  readonly confirmation: Confirmation | null
  /** Why the lookup failed. */
  readonly problem: string | null
  /** Why a ready line was not sent. */
  readonly note: string | null
  readonly setAside: { readonly reason: string; readonly by: string | null } | null
  /** The earlier line that this one repeats. */
  readonly seen: LineAt | null
  /** The outcome of its confirmation. */
  readonly outcome: Outcome | null
  readonly commandId: string | null
}
