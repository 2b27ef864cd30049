import { type Insertable, sql } from 'kysely'
import { hashPassword } from '#sandbox/identity/password.ts'
import { FEES_ACCOUNT_ID, RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { type Randomness, seededRandomness } from '#sandbox/world/random.ts'
import type { Tables, Trx } from '#sandbox/world/tables.ts'
import { Book } from './book.ts'
import { withoutIndexes } from './bulk-load.ts'
import { cardRows } from './cards.ts'
import { CaseFile, type Party } from './case-file.ts'
import { disputeSubjects } from './dispute-texts.ts'
import { type Disputed, disputed } from './disputed.ts'
import { ago } from './draw.ts'
import { manyUsers, seedManyUsers, utility } from './many-users.ts'
import { accountIdOf, merchantRows, merchants, partiesOf, seededMerchant, terminalRows } from './merchants.ts'
import { Payments, type SeedDeposit, type SeedPayment } from './payments.ts'
import { emailOf, type Person, people, SEED_PASSWORD, userIdEndingIn, usernameOf } from './people.ts'
import { seedRecurringPayments } from './recurring-payments.ts'
import { factorOf, type SeedName } from './seed-name.ts'

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

const HOUR = 3600

type Announced = readonly [
  holder: string,
  amount: string,
  hoursAgo: number,
  fate: SeedDeposit['fate'],
  note: string,
  reference?: string,
]

/** The references are stable: tests and people rely on them. */
const deposits: readonly Announced[] = [
  ['012', '900', 57 * 24, 'processed', 'First deposit'],
  ['011', '1500', 56 * 24, 'processed', 'Savings from the credit union'],
  ['013', '1500', 55 * 24, 'processed', 'Shop takings'],
  ['011', '1180', 44 * 24, 'processed', 'Salary'],
  ['012', '1460', 43 * 24, 'processed', 'Salary'],
  ['013', '700', 42 * 24, 'processed', 'Shop takings'],
  ['011', '5000', 30 * 24, 'processed', 'Opening balance', 'DEP~53b4390c-871d.20261101'],
  ['012', '3200', 29 * 24, 'processed', 'Opening balance', 'DEP~c4bd21b6-f9b8.20261101'],
  ['013', '1800.5', 28 * 24, 'processed', 'Opening balance', 'DEP~5d3a9048-a403.20261101'],
  ['014', '950', 27 * 24, 'processed', 'Opening balance', 'DEP~49da9620-1cde.20261101'],
  ['013', '820', 21 * 24, 'processed', 'Shop takings'],
  ['011', '200', 20 * 24, 'reversed', 'The bank sent this twice'],
  ['011', '1180', 16 * 24, 'processed', 'Salary'],
  ['012', '1460', 15 * 24, 'processed', 'Salary'],
  ['014', '610', 13 * 24, 'processed', 'Salary'],
  ['011', '60', 12 * 24, 'failed', 'Refund from the phone company'],
  ['013', '640', 7 * 24, 'processed', 'Shop takings'],
  ['011', '250.00125', 5 * 24, 'processed', 'Salary', 'DEP~4aea568b-0d9c.20261101'],
  // References are opaque and may contain any character.
  ['014', '12', 50, 'queued', '', 'DEP~90/ad 7%2B+ü?#.20261101'],
  ['012', '0.00000001', 48, 'queued', 'The smallest amount there is', 'DEP~b983d825-1603.20261101'],
  ['014', '75', 30, 'queued', 'For Ana \u202Egnp.exe', 'DEP~161cdbb7-19f1.20261101'],
  ['013', '3000.125', 26, 'queued', 'Sale of a bicycle', 'DEP~41f372e4-6d28.20261101'],
  ['014', '40', 20, 'processing', '', 'DEP~32d274ad-690b.20261101'],
  ['011', '85.5', 9, 'queued', '', 'DEP~07a44b1c-c298.20261101'],
  ['011', '140.75', 6, 'processing', 'Freelance work, second half'],
  ['011', '250', 5, 'queued', 'Top-up', 'DEP~abfd2fdc-a01d.20261101'],
  ['013', '1200', 3, 'processing', 'Invoice 118840', 'DEP~d8a01e30-b7ba.20261101'],
  ['012', '500', 2, 'queued', 'Rent for December', 'DEP~db4a2789-89b7.20261101'],
  ['011', '320', 1, 'pending', 'The old fridge'],
]

function seedDeposits(payments: Payments, random: Randomness, now: string): void {
  for (const [holder, amount, hoursAgo, fate, note, reference] of deposits) {
    const at = ago(random, now, hoursAgo * HOUR)
    payments.deposit({ to: userIdEndingIn(holder), amount, at, fate, note, reference })
  }
}

/** Few statements are fast, but a statement that is too large is slow. */
const CHUNK = 20_000

/** PostgreSQL expands one JSON parameter into rows. Keeps their order. */
async function insertRows<Table extends keyof Tables>(
  trx: Trx,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = rows.slice(start, start + CHUNK)
    const columns = sql.join(Object.keys(chunk[0] ?? {}).map((column) => sql.ref(column)))
    await sql`
      INSERT INTO ${sql.table(table)} (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(chunk)}::json)`.execute(
      trx,
    )
  }
}

const DAY = 86_400

/** Base32. Fixed, so that an authenticator survives a reset. */
const enrolled: readonly { readonly ending: string; readonly secret: string }[] = [
  { ending: '002', secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' },
  { ending: '003', secret: 'JBSWY3DPEHPK3PXPMFZGE2LUOJQXI33S' },
]

function totpRows(now: string): Insertable<Tables['totp']>[] {
  const enrolledAt = plusSeconds(now, -30 * DAY)
  return enrolled.map(({ ending, secret }) => ({
    user_id: userIdEndingIn(ending),
    secret,
    pending_secret: null,
    enrolled_at: enrolledAt,
    used_step: 0,
    wrong_codes: 0,
    locked_until_ms: null,
  }))
}

type Incident = readonly [
  from: string,
  to: string,
  amount: string,
  hoursAgo: number,
  fate: SeedPayment['fate'],
  note: string,
]

const incidents: readonly Incident[] = [
  ['014', '012', '950', 26 * 24 - 3, 'fee not covered', 'Down payment for the boat'],
  ['011', '012', '48', 9 * 24, 'failed', 'Concert ticket'],
  ['011', 'merchant-003', '72.9', 33 * 24, 'failed', 'Hardware'],
  ['012', 'merchant-001', '18.45', 18 * 24, 'failed', 'Groceries'],
  ['013', '011', '35', 4 * 24, 'failed', 'Guitar strings'],
  ['011', '014', '250', 5 * 24, 'blocked', 'Engine parts'],
  ['012', '014', '180', 2 * 24, 'blocked', 'Loan'],
  ['013', 'merchant-003', '95.2', 10 * 24, 'blocked', 'Shelves'],
  ['011', '013', '33.33333333', 40, 'held', 'A third of the freezer'],
  ['011', 'merchant-002', '64.2', 20, 'held', 'Dinner for six'],
  ['012', '011', '120', 15, 'held', 'Deposit for the tent'],
  ['013', '011', '27.5', 3, 'held', 'Your share'],
  ['014', 'merchant-001', '16.8', 1.5, 'held', 'Groceries'],
  ['011', 'bank', '400', 29 * 24, 'settled', 'Rent deposit'],
  ['012', '013', '0.00000001', 6 * 24, 'instant', 'Does this work?'],
  ['014', '013', '21', 5.5 * 24, 'instant', 'Net repair 🎣'],
]

function seedIncidents(payments: Payments, random: Randomness, now: string): void {
  for (const [from, to, amount, hoursAgo, fate, note] of incidents) {
    payments.pay({ ...partiesOf(from, to), amount, at: ago(random, now, hoursAgo * HOUR), fate, note })
  }
}

const REGISTERED_DAYS_AGO = 60
/** The end of the year 9999. */
const FOR_EVER_MS = 253_402_300_799_000
const PHONE_DIGITS = 7

let passwordHash: Promise<string> | undefined

async function userRows(everyone: readonly Person[], now: string): Promise<Insertable<Tables['app_user']>[]> {
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

const ARBITRATOR = '002'

function seedDisputes(payments: Payments, random: Randomness, now: string): CaseFile {
  const file = new CaseFile(random, now)
  const uses = new Map<Disputed[0], number>()
  for (const dispute of disputed) {
    const [subject] = dispute
    const use = uses.get(subject) ?? 0
    uses.set(subject, use + 1)
    seedDispute(payments, file, (hours) => ago(random, now, hours * HOUR), dispute, use)
  }
  return file
}

function seedDispute(
  payments: Payments,
  file: CaseFile,
  hoursAgo: (hours: number) => string,
  [name, from, to, amount, raisedHoursAgo, paidHoursBefore, messages, resolution]: Disputed,
  use: number,
): void {
  const subject = disputeSubjects[name]
  const [note = '', reason = ''] = subject.cases[use] ?? []
  const [arbitrator = ARBITRATOR, afterHours = 0, outcome] = resolution ?? []
  const raisedAt = hoursAgo(raisedHoursAgo)
  const resolvedAt = resolution === undefined ? null : hoursAgo(raisedHoursAgo - afterHours)
  const payment = { ...partiesOf(from, to), amount, at: hoursAgo(raisedHoursAgo + paidHoursBefore), note }
  file.add(payments, payment, {
    subject,
    reason,
    payer: partyOf(from),
    recipient: partyOf(seededMerchant(to)?.owner ?? to),
    raisedAt,
    messages,
    arbitratorId: userIdEndingIn(arbitrator),
    resolved: resolvedAt === null ? null : { at: resolvedAt, refund: outcome === 'refund' },
  })
}

const partyOf = (ending: string): Party => ({
  userId: userIdEndingIn(ending),
  firstName: people.find((person) => person.ending === ending)?.first ?? '',
})
