import 'server-only'
import type { Outcome } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { store } from '#lib/store/store.ts'
import {
  countLines,
  type EditedLine,
  findEditedReady,
  type JudgedLine,
  listLines,
  type ReadyTotal,
  readyTotal,
  type ShownLine,
} from './line-table.ts'
import type { LineStatus } from './statement-line.ts'
import { findStatement, type StatementRow } from './statement-table.ts'
import type { DoneBy, LineCounts, LineView, StatementWork, Suggestion } from './statement-view.ts'
import { workOn } from './work.ts'

/** A longer text of a bank is read in its file. */
const TEXT_CHARS = 240
const REFERENCE_CHARS = 512
/** More are told by their lines. */
const EDITED_MAX = 20

const cut = (text: string, chars: number): string => [...text].slice(0, chars).join('')

export interface StatementPage {
  readonly statement: StatementRow
  readonly work: StatementWork
  readonly counts: LineCounts
  readonly ready: ReadyTotal & { readonly edited: readonly (DoneBy & { readonly number: number })[] }
  readonly lines: readonly LineView[]
  /** Of the lines asked for, on all pages. */
  readonly total: number
}

/** One page of a statement's lines and everything around it; null when there is no such statement. */
export async function readStatement(
  id: string,
  wanted: { readonly status: LineStatus | null; readonly page: number; readonly size: number },
): Promise<StatementPage | null> {
  const db = await store()
  const [statement, work] = await Promise.all([findStatement(db, id), readWork(id)])
  if (statement === undefined || work === null) return null
  const [counts, ready, edited, lines] = await Promise.all([
    countLines(db, id),
    readyTotal(db, id),
    findEditedReady(db, id, EDITED_MAX),
    listLines(db, id, wanted),
  ])
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    statement,
    work,
    counts,
    ready: { ...ready, edited: edited.flatMap(editOf) },
    lines: lines.map(viewOfLine),
    total: wanted.status === null ? all : (counts[wanted.status] ?? 0),
  }
}

const editOf = ({ number, edited_by, edited_at }: EditedLine) => {
  const edited = doneBy(edited_by, edited_at)
  return edited === null ? [] : [{ number, ...edited }]
}

/** What goes on with a statement; null when there is no such statement. */
export async function readWork(id: string): Promise<StatementWork | null> {
  const row = await workOn(id)
  if (row === undefined) return null
  const cutOff = row.work !== null && !row.alive
  return {
    work: cutOff ? null : row.work,
    by: row.work_by ?? '',
    done: row.work_done,
    total: row.work_total,
    stopping: row.work_stop,
    cutOff,
    ended: row.work_ended ?? '',
    wantsCode: row.work_wants_code,
  }
}

/** Who did something and when; null where nobody did. */
const doneBy = (by: string | null, at: string | null): DoneBy | null => (by === null || at === null ? null : { by, at })

export function viewOfLine(line: ShownLine): LineView {
  const { found_state: state, found_debit: debit, problem } = line
  return {
    number: line.number,
    place: line.place,
    sought: cut(line.sought, REFERENCE_CHARS),
    soughtFrom: line.sought_from,
    suggestions: suggestionsOf(line),
    amount: line.amount,
    currency: cut(line.currency, TEXT_CHARS),
    bookedOn: cut(line.booked_on, TEXT_CHARS),
    text: cut(line.text, TEXT_CHARS),
    bankReference: cut(line.bank_used, TEXT_CHARS),
    given: { reference: cut(line.reference, REFERENCE_CHARS), bankReference: cut(line.bank_reference, TEXT_CHARS) },
    bankFrom: line.bank_used === line.bank_reference ? 'field' : 'hand',
    soughtEntered: doneBy(line.sought_by, line.sought_at),
    bankEntered: doneBy(line.bank_by, line.bank_at),
    edited: doneBy(line.edited_by, line.edited_at),
    editId: line.edit_id,
    status: line.status,
    hold: line.hold,
    found: state === null || debit === null ? null : { state, debit },
    looked: line.looked_at !== null,
    problem: problem === null ? null : problemWords(JSON.parse(problem) as Problem).title,
    note: line.note,
    setAside: line.set_aside_reason === null ? null : { reason: line.set_aside_reason, by: line.set_aside_by },
    seen:
      line.seen_statement === null || line.seen_number === null
        ? null
        : { statementId: line.seen_statement, number: line.seen_number },
    outcome: outcomeOf(line),
    commandId: line.command_id,
  }
}

/** Of a line whose own reference leads nowhere. */
function suggestionsOf({ status, sought, suggestions }: ShownLine): readonly Suggestion[] {
  if (status !== 'unknown' && status !== 'mismatched') return []
  return (JSON.parse(suggestions) as readonly Suggestion[]).filter(({ reference }) => reference !== sought)
}

function outcomeOf({ command_state: state, command_outcome: outcome }: JudgedLine): Outcome | null {
  if (state === null || state === 'draft') return null
  return state === 'sent' || outcome === null ? { class: 'sending' } : (JSON.parse(outcome) as Outcome)
}
