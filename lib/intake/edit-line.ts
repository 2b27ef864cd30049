import 'server-only'
import { bankReferenceFault, referenceFault } from '#lib/domain/deposit.ts'
import { PARK_REASON_MAX_CHARS } from '#lib/domain/statement-line.ts'
import type { Session } from '#lib/session/session.ts'
import { changeLine, findLine, type JudgedLine } from '#lib/store/statement-lines.ts'
import { store } from '#lib/store/store.ts'
import { unbind } from './confirm-line.ts'
import { lookUpLine } from './look-up.ts'
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
 * Does what a person wants with one line. One that a command was sent for stays as it is, unless that command ended
 * without effect: then the line is let go of it.
 */
export async function editLine(session: Session, statementId: string, number: number, act: LineAct): Promise<Fault> {
  const fault = faultOf(act)
  if (fault !== null) return fault
  const at = { statementId, number }
  const line = await findLine(await store(), statementId, number)
  if (line === undefined) return NOT_THERE
  if (line.command_id !== null) await unbind(at, line.command_id)
  return await doAct(session, line, act)
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

async function doAct(session: Session, line: JudgedLine, act: LineAct): Promise<Fault> {
  const at = { statementId: line.statement_id, number: line.number }
  const change = async (to: Parameters<typeof changeLine>[2]): Promise<Fault> =>
    (await changeLine(await store(), at, to)) ? null : GONE_OUT
  switch (act.act) {
    case 'reference': {
      const sought = act.reference.trim()
      const fault = await change({ sought, sought_from: 'hand', verdict: 'unread', note: null })
      if (fault === null) await lookUpLine(session, line.statement_id, { ...line, sought })
      return fault
    }
    case 'bank-reference':
      return await change({ ...bankUse(act.bankReference.trim()), note: null })
    case 'park':
      return await change({ parked_reason: act.reason.trim(), parked_by: session.displayName })
    case 'unpark':
      return await change({ parked_reason: null, parked_by: null })
    case 'look': {
      const fault = await change({ note: null })
      if (fault === null) await lookUpLine(session, line.statement_id, line)
      return fault
    }
  }
}
