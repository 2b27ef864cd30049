import 'server-only'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Session } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { isSameAccount, moneyKey, namesGiven, namesOf } from './file/returned.ts'
import type { Debit } from './file/statement.ts'
import { lockLine } from './line-changes.ts'
import { changeLine } from './line-table.ts'
import { findConfirmation } from './shown-lines.ts'
import { type EarlierPayment, findPaymentsOf, recordEdit } from './statement-table.ts'

export interface ReturnedLine {
  readonly statement_id: string
  readonly number: number
  readonly reason: string
}

interface ReturnedBefore {
  /** To be set aside. */
  readonly lines: readonly ReturnedLine[]
  readonly remarks: readonly string[]
  /** Payments that were confirmed, or may have been. */
  readonly warnings: readonly string[]
}

/** A bank may recall a payment for 13 months. */
const RECALLED_MS = 400 * 24 * 60 * 60_000

const named = (payment: EarlierPayment) => ({
  ...payment,
  names: namesOf({ reference: payment.reference, bankReference: payment.bank_reference }),
})

/** Payments of earlier statements, but for one, that debits of a file took back. */
export async function findReturnedBefore(
  db: Kysely<Tables>,
  debits: readonly Debit[],
  except: string | null,
): Promise<ReturnedBefore> {
  const found: { lines: ReturnedLine[]; remarks: string[]; warnings: string[] } = {
    lines: [],
    remarks: [],
    warnings: [],
  }
  if (debits.length === 0) return found
  const amounts = [...new Set(debits.map(({ amount }) => amount))]
  const since = new Date(Date.now() - RECALLED_MS).toISOString()
  const byMoney = Map.groupBy((await findPaymentsOf(db, amounts, since)).map(named), moneyKey)
  const taken = new Set<EarlierPayment>()
  for (const debit of debits) {
    await othersTurn()
    const isNamed = namesGiven(debit)
    const payment = byMoney
      .get(moneyKey(debit))
      ?.find(
        (one) =>
          one.statement_id !== except &&
          isNamed(one.names) &&
          isSameAccount(debit.account, one.account) &&
          !taken.has(one),
      )
    if (payment === undefined) continue
    taken.add(payment)
    const { statement_id, number, file_name } = payment
    const what = `The payment on line ${number.toLocaleString('en-US')} of ${visibleText(file_name)} went back (${debit.where})`
    if ((await findConfirmation(db, statement_id, number))?.mayBeConfirmed === false) {
      const reason = `The money went back: ${debit.isReversal ? 'reversed' : 'paid out again'} in a later statement.`
      found.lines.push({ statement_id, number, reason })
      found.remarks.push(`${what}. The line will be set aside.`)
    } else {
      found.warnings.push(`${what}, but its deposit was confirmed or may have been. Check the deposit.`)
    }
  }
  return found
}

/** Leaves a line whose payment was confirmed since, or may have been. */
export async function setAsideReturned(trx: Trx, session: Session, lines: readonly ReturnedLine[]): Promise<void> {
  for (const { statement_id, number, reason } of lines) {
    const at = { statementId: statement_id, number }
    const { command_id: bound = null, mayBeConfirmed = true } =
      (await findConfirmation(trx, statement_id, number)) ?? {}
    if (mayBeConfirmed) continue
    if (bound !== null) await changeLine(trx, { ...at, bound }, { command_id: null })
    const line = await lockLine(trx, at)
    if (line === undefined || line.set_aside_reason !== null) continue
    const edit = { what: 'set-aside', old: '', new: reason, released: bound }
    const edit_id = await recordEdit(trx, session, line, edit)
    await changeLine(trx, at, { set_aside_reason: reason, edit_id })
  }
}
