import { hashPassword } from '#sandbox/identity/password.ts'
import { openAccount, openOwnAccounts } from '#sandbox/ledger/accounts.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { seededRandomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { seedDeposits } from './deposits.ts'
import { seedMerchants } from './merchants.ts'
import { emailOf, type Person, people, SEED_PASSWORD, userIdEndingIn } from './people.ts'
import { seedTwoFactor } from './two-factor.ts'

const DAY = 86_400
/** The end of the year 9999. */
const FOR_EVER_MS = 253_402_300_799_000

let passwordHash: Promise<string> | undefined

/** Fills empty tables with the seeded world, ending now by the ledger's clock. */
export async function seed(trx: Trx, now: string): Promise<void> {
  // Hashing is slow by design; everyone has the same password, so once per process is enough.
  passwordHash ??= hashPassword(SEED_PASSWORD)
  const hash = await passwordHash
  const random = seededRandomness('the seeded world')
  await openOwnAccounts(trx)
  for (const person of people) await seedPerson(trx, person, hash, plusSeconds(now, -60 * DAY))
  await seedMerchants(trx, seededRandomness('the seeded merchants'), now)
  await seedTwoFactor(trx, now)
  await seedDeposits(trx, random, now)
}

async function seedPerson(trx: Trx, person: Person, hash: string, createdAt: string): Promise<void> {
  const id = userIdEndingIn(person.ending)
  const email = emailOf(person)
  const username = person.first.toLowerCase()
  await trx
    .insertInto('app_user')
    .values({
      id,
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
    })
    .execute()
  await openAccount(trx, id, 'wallet')
}
