import { sql } from 'kysely'
import { FEES_ACCOUNT_ID, RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { seededRandomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { Book } from './book.ts'
import { withoutIndexes } from './bulk-load.ts'
import { cardRows } from './cards.ts'
import { seedDeposits } from './deposits.ts'
import { seedDisputes } from './disputes.ts'
import { seedIncidents } from './incidents.ts'
import { insertRows } from './insert-rows.ts'
import { manyUsers, seedManyUsers, utility } from './many-users.ts'
import { accountIdOf, merchantRows, merchants, terminalRows } from './merchants.ts'
import { Payments } from './payments.ts'
import { people } from './people.ts'
import { seedRecurringPayments } from './recurring-payments.ts'
import { factorOf, type SeedName } from './seed-name.ts'
import { totpRows } from './two-factor.ts'
import { userRows } from './users.ts'

/** The tables must be empty. The seeded world ends at `now`, by the ledger's clock. */
export async function seed(trx: Trx, name: SeedName, now: string): Promise<void> {
  if (name === 'demo') {
    await write(trx, 0, now)
    return
  }
  await withoutIndexes(trx, () => write(trx, factorOf(name), now))
  // PGlite has no autovacuum: without statistics, queries on large tables are slow.
  await sql`ANALYZE`.execute(trx)
}

/** `factor` multiplies the cases of the large world; 0 for the demo world. */
async function write(trx: Trx, factor: number, now: string): Promise<void> {
  const large = factor > 0
  const users = await userRows(large ? [...people, ...manyUsers] : people, now)
  const shops = large ? [...merchants, utility] : merchants
  const { book, disputes } = worldOf(factor, now)
  await insertRows(trx, 'app_user', users)
  await insertRows(trx, 'account', [
    { id: RESERVE_ACCOUNT_ID, kind: 'reserve' },
    { id: FEES_ACCOUNT_ID, kind: 'fees' },
    ...users.map(({ id }) => ({ id, kind: 'wallet' as const })),
    ...shops.map((shop) => ({ id: accountIdOf(shop), kind: 'merchant' as const })),
  ])
  await insertRows(trx, 'totp', totpRows(now))
  await insertRows(trx, 'merchant', merchantRows(shops))
  await insertRows(trx, 'terminal', terminalRows(shops, seededRandomness('the seeded merchants'), now))
  await insertRows(trx, 'card', cardRows(now))
  await insertRows(trx, 'ledger_row', book.rows)
  await insertRows(trx, 'ledger_entry', book.entries)
  await insertRows(trx, 'ledger_history', book.history)
  await insertRows(trx, 'ledger_due', book.due)
  await insertRows(trx, 'dispute_case', disputes.cases)
  await insertRows(trx, 'dispute_message', disputes.messages)
}

function worldOf(factor: number, now: string) {
  const book = new Book(seededRandomness('the seeded ledger'))
  const payments = new Payments(book, seededRandomness('the seeded chain'), now)
  seedDeposits(payments, seededRandomness('the seeded deposits'), now)
  seedRecurringPayments(payments, seededRandomness('the seeded habits'), now)
  seedIncidents(payments, seededRandomness('the seeded incidents'), now)
  const disputes = seedDisputes(payments, seededRandomness('the seeded disputes'), now)
  if (factor > 0) seedManyUsers(payments, disputes, seededRandomness('the seeded crowd'), now, factor)
  payments.play()
  return { book, disputes }
}
