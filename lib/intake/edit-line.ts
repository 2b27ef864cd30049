import 'server-only'
import { bankReferenceFault, referenceFault } from '#lib/domain/deposit.ts'
import { PARK_REASON_MAX_CHARS } from '#lib/domain/statement-line.ts'
import type { Session } from '#lib/session/session.ts'
import { inJournal } from '#lib/store/journal.ts'
import { type LineChange, type LineRow, lockLine } from '#lib/store/line-changes.ts'
import { changeLine, findLine } from '#lib/store/statement-lines.ts'
import { store } from '#lib/store/store.ts'
import { unbind } from './confirm-line.ts'
import { lookUpLine } from './look-up.ts'
import { recordEdit } from './record.ts'
import { bankUse } from './take.ts'

/** What a person does with one line. */
export type LineAct =
  | { readonly act: 'reference'; readonly reference: string }
  | { readonly act: 'bank-reference'; readonly bankReference: string }
  | { readonly act: 'park'; readonly reason: string }
  | { readonly act: 'unpark' }
  | { readonly act: 'look' }

/** Null when it was done, else why not. */
export type Fault = string | null

const NOT_THERE = 'There is no such line.'
const GONE_OUT = 'A confirmation has gone out for this line. It stays as it is.'

/**
 * Does what a person wants with one line, and puts it on record in the same transaction. One that a command was sent for
 * stays as it is, unless that command ended without effect: then the line is let go of it.
 */
export async function editLine(session: Session, statementId: string, number: number, act: LineAct): Promise<Fault> {
  const fault = faultOf(act)
  if (fault !== null) return fault
  const at = { statementId, number }
  const db = await store()
  const line = await findLine(db, statementId, number)
  if (line === undefined) return NOT_THERE
  if (line.command_id !== null) await unbind(at, line.command_id)
  const edited = await inJournal(db, async (trx) => {
    const before = await lockLine(trx, at)
    if (before === undefined) return undefined
    const edit = editOf(session, before, act)
    const edit_id = await recordEdit(trx, session, before, { ...edit, released: line.command_id })
    await changeLine(trx, at, { ...edit.change(edit_id), edit_id })
    return { ...before, sought: edit.change(edit_id).sought ?? before.sought }
  })
  if (edited === undefined) return GONE_OUT
  if (act.act === 'reference' || act.act === 'look') await lookUpLine(session, statementId, edited)
  return null
}

function faultOf(act: LineAct): Fault {
  switch (act.act) {
    case 'reference':
      return referenceFault(act.reference)
    case 'bank-reference':
      return bankReferenceFault(act.bankReference)
    case 'park':
      if (act.reason.trim() === '') return 'Say why it is put aside.'
      return [...act.reason].length > PARK_REASON_MAX_CHARS ? `At most ${PARK_REASON_MAX_CHARS} characters.` : null
    default:
      return null
  }
}

/** An edit: its words for the journal, and what it changes. */
interface Edit {
  readonly what: LineAct['act']
  readonly old: string
  readonly new: string
  readonly change: (editId: string) => LineChange
}

function editOf(session: Session, line: LineRow, act: LineAct): Edit {
  const parked = line.parked_reason ?? ''
  switch (act.act) {
    case 'reference': {
      const sought = act.reference.trim()
      // What the file itself has in its field is nobody's word.
      const sought_from = sought === line.reference ? 'field' : 'hand'
      const entered = { sought, sought_from, verdict: 'unread', note: null } as const
      const change = (sought_edit_id: string) => ({ ...entered, sought_edit_id })
      return { what: 'reference', old: line.sought, new: sought, change }
    }
    case 'bank-reference': {
      const given = act.bankReference.trim()
      const change = (bank_edit_id: string) => ({ ...bankUse(given), note: null, bank_edit_id })
      return { what: 'bank-reference', old: line.bank_used, new: given, change }
    }
    case 'park': {
      const reason = act.reason.trim()
      const change = () => ({ parked_reason: reason, parked_by: session.displayName })
      return { what: 'park', old: parked, new: reason, change }
    }
    case 'unpark':
      return { what: 'unpark', old: parked, new: '', change: () => ({ parked_reason: null, parked_by: null }) }
    case 'look':
      return { what: 'look', old: line.note ?? '', new: '', change: () => ({ note: null }) }
  }
}
