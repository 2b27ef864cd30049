import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import type { Units } from './amount.ts'
import { lockLedger } from './append.ts'
import { acceptConfirmation, mintIntoEscrow, queueDeposit, scheduleMint } from './deposit.ts'
import { newReference } from './reference.ts'
import { currentRow, type LedgerRow } from './rows.ts'
import { covers, spendInstantly, spendProtected, withdraw } from './spend.ts'
import { block, fail, markDisputed, reverse, settleHeld, unblock } from './transitions.ts'
import { workDue } from './work-due.ts'

const HOLDERS = ['011', '012', '013', '014'].map(userIdEndingIn)
const RUNS = 60
const LENGTH_MAX = 40

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const kinds = [
  'deposit',
  'confirm',
  'accept',
  'pay',
  'protect',
  'withdraw',
  'dispute',
  'release',
  'refund',
  'block',
  'unblock',
  'fail',
  'reverse',
  'wait',
] as const

/** One step of a history: what to try, between whom, how much, and which of the transactions so far it is about. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.constantFrom(...HOLDERS),
  to: fc.constantFrom(...HOLDERS),
  units: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 11n }), fc.bigInt({ min: 1n, max: 10n ** 15n })),
  which: fc.nat(),
  hours: fc.nat({ max: 100 }),
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The state that a step about an existing transaction needs; a step that does not fit is skipped, as the service refuses it. */
const needs: Readonly<Record<string, readonly [state: string, type?: string]>> = {
  confirm: ['QUEUED', 'DEPOSIT'],
  accept: ['QUEUED', 'DEPOSIT'],
  dispute: ['PROCESSING', 'P2P'],
  release: ['DISPUTED'],
  refund: ['DISPUTED'],
  block: ['PROCESSING'],
  unblock: ['BLOCKED'],
  fail: ['PROCESSING'],
  reverse: ['PROCESSING'],
}

async function take(world: World, given: Step, references: string[]): Promise<void> {
  if (given.kind === 'wait') {
    world.clock.advanceSeconds(given.hours * 3600)
    await workDue(world)
    return
  }
  await world.db.transaction().execute(async (trx) => {
    await lockLedger(trx)
    const row = needs[given.kind] === undefined ? null : await pick(trx, given, references)
    const made = row === null ? await create(world, trx, given) : await move(world, trx, given, row)
    if (made !== null) references.push(made.reference_id)
  })
}

async function pick(trx: Trx, { kind, which }: Step, references: readonly string[]): Promise<LedgerRow | null> {
  const [state, type] = needs[kind] ?? ['none']
  const rows: LedgerRow[] = []
  for (const reference of references) {
    const row = await currentRow(trx, reference)
    if (row?.state === state && (type === undefined || row.transaction_type === type)) rows.push(row)
  }
  return rows[which % Math.max(1, rows.length)] ?? null
}

async function create(world: World, trx: Trx, given: Step): Promise<LedgerRow | null> {
  const at = world.clock.now()
  const referenceId = newReference('TST', at)
  if (given.kind === 'deposit') {
    return await queueDeposit(trx, { referenceId, to: given.to, units: given.units, note: '', at })
  }
  if (!['pay', 'protect', 'withdraw'].includes(given.kind) || given.from === given.to) return null
  if (!(await covers(trx, given.from, given.units))) return null
  const { from, to, units } = given
  const spend = { referenceId, type: 'P2P' as const, from, to, units, note: '', cardId: null, at }
  const fee: Units = BigInt(given.which % 3) * 10_000_000n
  if (given.kind === 'pay') return await spendInstantly(trx, spend)
  if (given.kind === 'protect') return await spendProtected(trx, spend, fee, given.hours % 2 === 0)
  return await withdraw(trx, { ...spend, type: 'WITHDRAWAL', to: '00000000-0000-4000-8000-0000000000a0' })
}

async function move(world: World, trx: Trx, { kind }: Step, row: LedgerRow): Promise<LedgerRow | null> {
  const at = world.clock.now()
  if (kind === 'confirm') await mintIntoEscrow(trx, await acceptConfirmation(trx, row, 'B', at), at)
  if (kind === 'accept') await scheduleMint(trx, await acceptConfirmation(trx, row, 'B', at))
  if (kind === 'dispute') await markDisputed(trx, row, at)
  if (kind === 'release') await settleHeld(trx, row, at)
  if (kind === 'block') await block(trx, row, at)
  if (kind === 'unblock') await unblock(trx, row, at)
  if (kind === 'fail') await fail(trx, row, 'test', at)
  if (kind === 'refund' || kind === 'reverse') return await reverse(trx, row, 'test', at)
  return null
}

test('after any history the ledger balances, nobody is overdrawn, and no row has changed', async () => {
  const { world } = box.sandbox
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: LENGTH_MAX }), async (steps) => {
      const before = await rowsSoFar(world)
      const references: string[] = []
      for (const given of steps) await take(world, given, references)
      expect(await ledgerFaults(world.db)).toEqual([])
      const after = await rowsSoFar(world)
      expect(after.slice(0, before.length)).toEqual(before)
    }),
    { numRuns: RUNS },
  )
}, 120_000)

const rowsSoFar = async (world: World) => {
  const rows = await world.db.selectFrom('ledger_row').selectAll().orderBy('sequence').execute()
  return rows.map((row) => JSON.stringify(row))
}
