import 'server-only'
import type { Line, Outcome } from '#lib/commands/command.ts'
import { recordAct } from '#lib/commands/record.ts'
import type { Session } from '#lib/session/session.ts'
import type { Trx } from '#lib/store/tables.ts'
import { lineEditWords } from './statement-line.ts'
import type { NewStatement } from './statement-table.ts'

interface RecordedEdit {
  readonly what: string
  readonly old: string
  readonly new: string
  readonly released: string | null
}

const doneWith = (lines: readonly Line[]): string =>
  JSON.stringify({ class: 'done', steps: [], lines } satisfies Outcome)

const mono = (label: string, value: string): Line[] => (value === '' ? [] : [{ label, value, as: 'mono' }])

export function recordEdit(
  trx: Trx,
  { actor, displayName }: Session,
  line: { readonly statement_id: string; readonly number: number },
  edit: RecordedEdit,
): Promise<string> {
  const { what, released } = edit
  return recordAct(trx, {
    kind: 'statement.edit-line',
    actor,
    actorName: displayName,
    target: line.statement_id,
    params: { line: line.number, what },
    outcome: doneWith([
      { label: 'Line', value: line.number.toLocaleString('en-US'), as: 'text' },
      { label: 'What', value: lineEditWords(what), as: 'text' },
      ...mono('Before', edit.old),
      ...mono('After', edit.new),
    ]),
    note: { statement: line.statement_id, line: line.number, what, old: edit.old, new: edit.new, released },
  })
}

/** Must not contain data of payers. */
type Counted = Pick<NewStatement, 'id' | 'digest' | 'format' | 'left_out'> & { readonly lines: number }

export function recordFile(
  trx: Trx,
  kind: 'statement.import' | 'statement.discard' | 'statement.restore',
  { actor, displayName }: Session,
  { id, digest, format, lines, left_out }: Counted,
): Promise<string> {
  return recordAct(trx, {
    kind,
    actor,
    actorName: displayName,
    target: id,
    params: { lines, leftOut: left_out, format, sha256: digest },
    outcome: doneWith([
      { label: 'Lines', value: lines.toLocaleString('en-US'), as: 'text' },
      { label: 'Left out', value: left_out.toLocaleString('en-US'), as: 'text' },
      { label: 'Format', value: format, as: 'text' },
      { label: 'SHA-256', value: digest, as: 'mono' },
    ]),
    note: { statement: id, lines, leftOut: left_out, format, sha256: digest },
  })
}
