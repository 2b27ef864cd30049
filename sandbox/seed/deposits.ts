import { parseUnits } from '#sandbox/ledger/amount.ts'
import { acceptConfirmation, mintIntoEscrow, queueDeposit } from '#sandbox/ledger/deposit.ts'
import { newReference } from '#sandbox/ledger/reference.ts'
import { settleHeld } from '#sandbox/ledger/transitions.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { userIdEndingIn } from './people.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** References must not change with the day on which the world is seeded. */
const REFERENCE_DAY = '2026-11-01'

type Stage = 'queued' | 'processing' | 'processed'

interface SeedDeposit {
  readonly holder: string
  readonly amount: string
  readonly hoursAgo: number
  readonly stage: Stage
  readonly note: string
  readonly reference?: string
}

const deposits: readonly SeedDeposit[] = [
  { holder: '011', amount: '5000', hoursAgo: 30 * 24, stage: 'processed', note: 'Opening balance' },
  { holder: '012', amount: '3200', hoursAgo: 29 * 24, stage: 'processed', note: 'Opening balance' },
  { holder: '013', amount: '1800.5', hoursAgo: 28 * 24, stage: 'processed', note: 'Opening balance' },
  { holder: '014', amount: '950', hoursAgo: 27 * 24, stage: 'processed', note: 'Opening balance' },
  { holder: '011', amount: '250.00125', hoursAgo: 5 * 24, stage: 'processed', note: 'Salary' },
  { holder: '013', amount: '1200', hoursAgo: 3, stage: 'processing', note: 'Invoice 118840' },
  { holder: '014', amount: '40', hoursAgo: 20, stage: 'processing', note: '' },
  { holder: '012', amount: '500', hoursAgo: 2, stage: 'queued', note: 'Rent for December' },
  { holder: '011', amount: '250', hoursAgo: 5, stage: 'queued', note: 'Top-up' },
  { holder: '011', amount: '85.5', hoursAgo: 9, stage: 'queued', note: '' },
  { holder: '013', amount: '3000.125', hoursAgo: 26, stage: 'queued', note: 'Sale of a bicycle' },
  { holder: '014', amount: '75', hoursAgo: 30, stage: 'queued', note: 'For Ana \u202Egnp.exe' },
  { holder: '012', amount: '0.00000001', hoursAgo: 48, stage: 'queued', note: 'The smallest amount there is' },
  // References are opaque: any character may stand in one.
  { holder: '014', amount: '12', hoursAgo: 50, stage: 'queued', note: '', reference: 'DEP~90/ad 7%2B+ü?#.20261101' },
]

/** Deposits in every stage; at least one queued for each holder. */
export async function seedDeposits(trx: Trx, random: Randomness, now: string): Promise<void> {
  const oldestFirst = [...deposits].sort((a, b) => b.hoursAgo - a.hoursAgo)
  for (const deposit of oldestFirst) await seedDeposit(trx, random, deposit, now)
}

async function seedDeposit(trx: Trx, random: Randomness, deposit: SeedDeposit, now: string): Promise<void> {
  const at = plusSeconds(now, -deposit.hoursAgo * HOUR)
  const queued = await queueDeposit(trx, random, {
    referenceId: deposit.reference ?? newReference('DEP', random, REFERENCE_DAY),
    userId: userIdEndingIn(deposit.holder),
    units: parseUnits(deposit.amount),
    note: deposit.note,
    at,
  })
  if (deposit.stage === 'queued') return
  const bankReference = `ATL-2026-${random.bytes(3).readUIntBE(0, 3) % 1_000_000}`
  const pending = await acceptConfirmation(trx, random, queued, bankReference, plusSeconds(at, HOUR / 2))
  const held = await mintIntoEscrow(trx, random, pending, plusSeconds(at, HOUR / 2 + 2))
  if (deposit.stage === 'processed') {
    await settleHeld(trx, random, held, plusSeconds(at, HOUR / 2 + 2 + DAY))
  }
}
