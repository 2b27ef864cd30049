import { formatUnits, parseUnits, type Units } from '#sandbox/ledger/amount.ts'
import { type ReadTransaction, readAll } from '#sandbox/seed/test-world.ts'
import type { TestSandbox } from './test-sandbox.ts'

export interface Balances {
  readonly total: string
  readonly available: string
}

/** States in which what was reserved waits in escrow, which is the recipient's. Nothing of a deposit exists before. */
const HELD = new Set(['PROCESSING', 'DISPUTED', 'BLOCKED'])

/**
 * An account's balances from its served history alone: a debit counts in every state but FAIL, a credit is spendable at
 * PROCESSED (interface.md, "Transaction states", balance rules 1 and 2).
 */
export async function replayOf(box: TestSandbox, accountId: string): Promise<Balances> {
  const path = `/api/v1/Transaction/account/${accountId}`
  const rows = (await readAll(
    box,
    path,
    'transactions',
    'operator@example.com',
  )) as unknown as readonly ReadTransaction[]
  const received = rows.filter(({ toAccountId }) => toAccountId === accountId)
  const paid = rows.filter(({ fromAccountId, state }) => fromAccountId === accountId && state !== 'FAIL')
  const credited = sum(received.filter(({ state }) => state === 'PROCESSED').map(({ credit }) => credit))
  const available = credited - sum(paid.map(({ debit }) => debit))
  const held = sum(received.filter(({ state }) => HELD.has(state)).map(({ credit }) => credit))
  return { total: formatUnits(available + held), available: formatUnits(available) }
}

const sum = (amounts: readonly string[]): Units => amounts.reduce((total, amount) => total + parseUnits(amount), 0n)

/** An account's balances as the service tells them. */
export async function servedBalances(box: TestSandbox, accountId: string): Promise<Balances> {
  const { body } = await box.call('GET', `/sandbox/balances/${accountId}`)
  return { total: String(body.totalBalance), available: String(body.availableBalance) }
}
