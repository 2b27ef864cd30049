import type { Insertable } from 'kysely'
import { hashPassword } from '#sandbox/identity/password.ts'
import { FEES_ACCOUNT_ID, RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { seededRandomness } from '#sandbox/world/random.ts'
import type { Tables, Trx } from '#sandbox/world/tables.ts'
import { Book } from './book.ts'
import { cardRows } from './cards.ts'
import { tellDeposits } from './deposits.ts'
import { tellDisputes } from './disputes.ts'
import { tellHabits } from './habits.ts'
import { tellIncidents } from './incidents.ts'
import { insertRows } from './insert-rows.ts'
import { merchantRows, terminalRows } from './merchants.ts'
import { emailOf, type Person, people, SEED_PASSWORD, userIdEndingIn } from './people.ts'
import { Story } from './story.ts'
import { totpRows } from './two-factor.ts'

const DAY = 86_400
/** The end of the year 9999. */
const FOR_EVER_MS = 253_402_300_799_000

let passwordHash: Promise<string> | undefined

/** Fills empty tables with the seeded world, ending now by the ledger's clock. */
export async function seed(trx: Trx, now: string): Promise<void> {
  // Hashing is slow by design; everyone has the same password, so once per process is enough.
  passwordHash ??= hashPassword(SEED_PASSWORD)
  const hash = await passwordHash
  const book = new Book(seededRandomness('the seeded ledger'))
  const story = new Story(book, seededRandomness('the seeded chain'), now)
  tellDeposits(story, seededRandomness('the seeded deposits'), now)
  tellHabits(story, seededRandomness('the seeded habits'), now)
  tellIncidents(story, seededRandomness('the seeded incidents'), now)
  const disputes = tellDisputes(story, seededRandomness('the seeded disputes'), now)
  story.play()

  const users = people.map((person) => userRow(person, hash, plusSeconds(now, -60 * DAY)))
  const merchants = merchantRows()
  await insertRows(trx, 'app_user', users)
  await insertRows(trx, 'account', [
    { id: RESERVE_ACCOUNT_ID, kind: 'reserve' },
    { id: FEES_ACCOUNT_ID, kind: 'fees' },
    ...users.map(({ id }) => ({ id, kind: 'wallet' as const })),
    ...merchants.map(({ account_id }) => ({ id: account_id, kind: 'merchant' as const })),
  ])
  await insertRows(trx, 'totp', totpRows(now))
  await insertRows(trx, 'merchant', merchants)
  await insertRows(trx, 'terminal', terminalRows(seededRandomness('the seeded merchants'), now))
  await insertRows(trx, 'card', cardRows(now))
  await insertRows(trx, 'ledger_row', book.rows)
  await insertRows(trx, 'ledger_entry', book.entries)
  await insertRows(trx, 'ledger_history', book.history)
  await insertRows(trx, 'ledger_due', book.due)
  await insertRows(trx, 'dispute_case', disputes.cases)
  await insertRows(trx, 'dispute_message', disputes.messages)
}

function userRow(person: Person, hash: string, createdAt: string): Insertable<Tables['app_user']> & { id: string } {
  const email = emailOf(person)
  const username = person.first.toLowerCase()
  return {
    id: userIdEndingIn(person.ending),
    first_name: person.first,
    last_name: person.last,
    email,
    email_key: email,
    phone_number: `+501600${person.ending.padStart(4, '0')}`,
    username,
    username_key: username,
    password_hash: hash,
    roles: person.role,
    kyc_status: person.role === 'HOLDER' ? 'APPROVED' : 'PENDING',
    may_sign_in: person.mayNotSignIn !== true,
    failed_sign_ins: 0,
    locked_until_ms: person.locked === true ? FOR_EVER_MS : null,
    token_generation: 0,
    created_at: createdAt,
  }
}
