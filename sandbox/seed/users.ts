import type { Insertable } from 'kysely'
import { hashPassword } from '#sandbox/identity/password.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { emailOf, type Person, SEED_PASSWORD, userIdEndingIn, usernameOf } from './people.ts'

const DAY = 86_400
const REGISTERED_DAYS_AGO = 60
/** The end of the year 9999. */
const FOR_EVER_MS = 253_402_300_799_000
const PHONE_DIGITS = 7

let passwordHash: Promise<string> | undefined

export async function userRows(everyone: readonly Person[], now: string): Promise<Insertable<Tables['app_user']>[]> {
  // Hashing is slow and all passwords are the same, so it runs once per process.
  passwordHash ??= hashPassword(SEED_PASSWORD)
  const hash = await passwordHash
  const createdAt = plusSeconds(now, -REGISTERED_DAYS_AGO * DAY)
  return everyone.map((person) => userRow(person, hash, createdAt))
}

function userRow(person: Person, hash: string, createdAt: string): Insertable<Tables['app_user']> {
  const [email, username] = [emailOf(person), usernameOf(person)]
  return {
    id: userIdEndingIn(person.ending),
    first_name: person.first,
    last_name: person.last,
    email,
    email_key: email,
    phone_number: `+501${person.ending.padStart(PHONE_DIGITS, '6000000')}`,
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
