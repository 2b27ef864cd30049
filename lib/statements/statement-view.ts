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

/** The amount of a line compared with what its transaction says the sender pays. */
export type AmountVerdict = AmountComparison | 'other-currency' | 'unreadable'

/** How a file was read, before any of it is stored. */
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
  /** The confirmed preview was another one: the file, or how it is read, has changed. */
  readonly isChanged: boolean
}

/** `already`: the same file was imported before. */
export type ImportAnswer =
  | { readonly kind: 'imported'; readonly id: string; readonly already: boolean }
  | { readonly kind: 'preview'; readonly preview: ImportPreview }
  /** The person must map the columns. `why`: the reason for asking again. */
  | { readonly kind: 'columns'; readonly head: TableView; readonly draft: DraftMapping; readonly why: string | null }
  /** `draft`: the remembered mapping that failed. Null when the person sent the mapping. */
  | {
      readonly kind: 'broken'
      readonly faults: readonly FileFault[]
      readonly head: TableView | null
      readonly draft: DraftMapping | null
    }

/** Work that goes on with a statement, or how the latest ended. */
export interface StatementWork {
  readonly work: 'look' | 'confirm' | null
  readonly by: string
  readonly done: number
  readonly total: number
  readonly stopping: boolean
  /** The process that did it is gone before its end: it can be taken up again. */
  readonly cutOff: boolean
  /** It was cut off, and a process goes on with it as soon as the person who began it uses the console there. */
  readonly goesOn: boolean
  /** ISO 8601; null while it does not wait. */
  readonly pausedUntil: string | null
  /** In words; empty when there is nothing to say. */
  readonly ended: string
  /** The latest ended for want of a code: whoever gives one can go on. */
  readonly wantsCode: boolean
  /** Which run it is or was, counted from one; zero where none was begun. */
  readonly run: number
}

/** What moves a statement's page. */
export interface StatementNews {
  readonly work: StatementWork
  /** Lines whose end is not known. */
  readonly open: number
}

export type LineCounts = Readonly<Partial<Record<LineStatus, number>>>

export interface DoneBy {
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** A reference in the text of a line that the service answered for. It confirms nothing until a person accepts it. */
export interface Suggestion {
  readonly reference: string
  /** `field`: the reference field has it with other spaces, in another case or with invisible characters. */
  readonly foundIn: 'field' | 'text'
  /** As the service gave them when it was found. */
  readonly state: string
  readonly debit: string
}

/** A line of some statement. */
export interface LineAt {
  readonly statementId: string
  readonly number: number
  readonly fileName: string
}

/** A confirmation of a deposit: the change in the journal, who made it, and the line that it was made from, if any. */
export interface Confirmation {
  readonly commandId: string
  readonly by: string
  /** ISO 8601; null while its end is not known. */
  readonly at: string | null
  readonly line: LineAt | null
}

/** How much the lines of one status and currency come to. */
export interface LineTotal {
  readonly status: LineStatus
  readonly currency: string
  readonly count: number
  /** Decimal text. */
  readonly sum: string
}

/** One line of a statement as a page shows it. Texts of the bank are cut to what can be shown. */
export interface LineView {
  readonly statementId: string
  readonly number: number
  /** Where it stands in the file. */
  readonly place: number
  /** What is looked up; empty when nothing is. */
  readonly sought: string
  /** `text`: found in the line's text, and accepted by a person. */
  readonly soughtFrom: 'field' | 'text' | 'hand'
  readonly suggestions: readonly Suggestion[]
  readonly amount: string
  readonly currency: string
  readonly bookedOn: string
  readonly text: string
  readonly bankReference: string
  /** As the file has them. */
  readonly given: { readonly reference: string; readonly bankReference: string }
  readonly bankFrom: 'field' | 'hand'
  /** Who entered the reference, and the bank's, in the latest such edit. */
  readonly soughtEntered: DoneBy | null
  readonly bankEntered: DoneBy | null
  /** The latest edit of any kind, and its entry in the journal. */
  readonly edited: DoneBy | null
  readonly editId: string | null
  readonly status: LineStatus
  /** It is ready, and the policy wants its confirmation approved: no run sends it. */
  readonly needsApproval: boolean
  readonly hold: LineHold | null
  /** As the service gave them; the state is the latest that this console has read. Null when nothing was found. */
  readonly found: { readonly state: string; readonly debit: string; readonly amount: AmountVerdict } | null
  /** ISO 8601; null when it was not looked up yet. */
  readonly lookedAt: string | null
  /** The first line before this one that names the same deposit, and the same bank's reference. */
  readonly sameReference: LineAt | null
  readonly sameBankReference: LineAt | null
  /** What confirmed another payment with the bank's reference of this line, or may have. */
  readonly bankHolder: Confirmation | null
  /** What confirmed the deposit, from this line or elsewhere in this console. */
  readonly confirmation: Confirmation | null
  /** Why it could not be looked up. */
  readonly problem: string | null
  /** Why it was not sent though it was ready. */
  readonly note: string | null
  readonly setAside: { readonly reason: string; readonly by: string | null } | null
  /** The statement and line of which this is a repetition. */
  readonly seen: LineAt | null
  /** What came of confirming it. */
  readonly outcome: Outcome | null
  readonly commandId: string | null
}
