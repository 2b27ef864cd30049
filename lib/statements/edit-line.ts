import 'server-only'
import type { Kysely } from 'kysely'
import { bankReferenceFault } from '#lib/deposits/deposit.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { withoutInvisible } from '#lib/values/text.ts'
import { unbind } from './confirm-lines.ts'
import { bankUse } from './import.ts'
import { findSuggested, type LineChange, type LineRow, lockLine } from './line-changes.ts'
import { changeLine } from './line-table.ts'
import { matchLine } from './match-lines.ts'
import { findLine } from './shown-lines.ts'
import { recordEdit } from './statement-table.ts'
import { reasonFault } from './statement-view.ts'

export type LineAct =
  | { readonly act: 'reference'; readonly reference: string }
  | { readonly act: 'accept'; readonly reference: string }
  | { readonly act: 'bank-reference'; readonly bankReference: string }
  | { readonly act: 'set-aside'; readonly reason: string }
  /** The reason is needed for a line that a file set aside. */
  | { readonly act: 'put-back'; readonly reason: string }
  | { readonly act: 'look' }

/** Null on success. */
export type Fault = string | null

const NOT_THERE = 'Line not found.'
const GONE_OUT = 'A confirmation was sent for this line. It cannot be edited.'
const WAITS = 'This line waits for approval. Edit it once that is cancelled or declined.'
const PUT_BACK_WHY = 'Enter why it is put back.'
const NOT_SUGGESTED = 'This reference is no longer suggested. Check the line again.'

/** Records the edit, too. Refused if a confirmation was sent, unless that ended without effect. */
export async function editLine(session: Session, statementId: string, number: number, typed: LineAct): Promise<Fault> {
  const act = withoutInvisibleIn(typed)
  const fault = faultOf(act)
  if (fault !== null) return fault
  const at = { statementId, number }
  const db = await store()
  const line = await findLine(db, statementId, number)
  if (line === undefined) return NOT_THERE
  if (line.command_state === 'awaiting_approval') return WAITS
  const early = await checkAct(db, line, act)
  if ('fault' in early) return early.fault
  if (line.command_id !== null) await unbind(at, line.command_id)
  const edited = await inJournal(db, async (trx) => {
    const before = await lockLine(trx, at)
    if (before === undefined) return GONE_OUT
    const checked = await checkAct(trx, before, act)
    if ('fault' in checked) return checked.fault
    const edit = editOf(session, before, act, checked.isOfPayer)
    const edit_id = await recordEdit(trx, session, before, { ...edit, released: line.command_id })
    await changeLine(trx, at, { ...edit.change(edit_id), edit_id })
    await keepEntered(trx, { ...before, ...edit.change(edit_id) }, { edit_id, actor: session.actor, act: act.act })
    return { ...before, sought: edit.change(edit_id).sought ?? before.sought }
  })
  if (typeof edited === 'string') return edited
  if (act.act === 'reference' || act.act === 'accept' || act.act === 'look') {
    await matchLine(session, statementId, edited)
  }
  return null
}

async function checkAct(
  db: Kysely<Tables>,
  line: LineRow,
  act: LineAct,
): Promise<{ readonly fault: string } | { readonly isOfPayer: boolean }> {
  const isByFile = line.set_aside_reason !== null && line.set_aside_by === null
  if (act.act === 'put-back' && isByFile && act.reason.trim() === '') return { fault: PUT_BACK_WHY }
  const foundIn = act.act === 'accept' ? await findSuggested(db, line, act.reference) : null
  return foundIn === undefined ? { fault: NOT_SUGGESTED } : { isOfPayer: foundIn === 'payer' }
}

/** Approval rules use the people who entered a reference, even after later edits or a discard. */
async function keepEntered(
  trx: Trx,
  line: Pick<LineRow, 'sought' | 'sought_from' | 'bank_used' | 'bank_reference' | 'bank_key'>,
  { edit_id, actor, act }: { readonly edit_id: string; readonly actor: string; readonly act: LineAct['act'] },
): Promise<void> {
  const reference = (act === 'reference' || act === 'accept') && line.sought_from !== 'field' ? line.sought : null
  const bank_key = act === 'bank-reference' && line.bank_used !== line.bank_reference ? line.bank_key : null
  if (reference === null && bank_key === null) return
  await trx.insertInto('entered_reference').values({ edit_id, actor, reference, bank_key }).execute()
}

function withoutInvisibleIn(act: LineAct): LineAct {
  if (act.act === 'reference') return { ...act, reference: withoutInvisible(act.reference).trim() }
  if (act.act !== 'bank-reference') return act
  return { ...act, bankReference: withoutInvisible(act.bankReference).trim() }
}

function faultOf(act: LineAct): Fault {
  switch (act.act) {
    case 'reference':
    case 'accept':
      return referenceFault(act.reference)
    case 'bank-reference':
      return bankReferenceFault(act.bankReference)
    case 'set-aside':
      return reasonFault(act.reason, 'Enter why it is set aside.')
    case 'put-back':
      return act.reason === '' ? null : reasonFault(act.reason, PUT_BACK_WHY)
    default:
      return null
  }
}

interface Edit {
  readonly what: LineAct['act'] | 'accept-payer'
  readonly old: string
  readonly new: string
  readonly change: (editId: string) => LineChange
}

function editOf(session: Session, line: LineRow, act: LineAct, isOfPayer: boolean): Edit {
  const setAside = line.set_aside_reason ?? ''
  switch (act.act) {
    case 'reference': {
      const sought = act.reference
      const sought_from = sought === line.reference ? 'field' : 'hand'
      const entered = { sought, sought_from, verdict: 'unread', note: null } as const
      const change = (sought_edit_id: string) => ({ ...entered, sought_edit_id })
      return { what: 'reference', old: line.sought, new: sought, change }
    }
    case 'accept': {
      const sought_from = isOfPayer ? 'payer' : 'text'
      const accepted = { sought: act.reference, sought_from, verdict: 'unread', note: null } as const
      const change = (sought_edit_id: string) => ({ ...accepted, sought_edit_id })
      return { what: isOfPayer ? 'accept-payer' : 'accept', old: line.sought, new: act.reference, change }
    }
    case 'bank-reference': {
      const { bankReference } = act
      const change = (bank_edit_id: string) => ({ ...bankUse(bankReference), note: null, bank_edit_id })
      return { what: 'bank-reference', old: line.bank_used, new: bankReference, change }
    }
    case 'set-aside': {
      const reason = act.reason.trim()
      const change = () => ({ set_aside_reason: reason, set_aside_by: session.displayName })
      return { what: 'set-aside', old: setAside, new: reason, change }
    }
    case 'put-back':
      return {
        what: 'put-back',
        old: setAside,
        new: act.reason.trim(),
        change: () => ({
          set_aside_reason: null,
          set_aside_by: null,
          // Stays, even if that file is restored.
          returned_statement: line.set_aside_by === null ? null : line.returned_statement,
        }),
      }
    case 'look':
      return { what: 'look', old: line.note ?? '', new: '', change: () => ({ note: null }) }
  }
}
