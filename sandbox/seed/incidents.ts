import type { Randomness } from '#sandbox/world/random.ts'
import { ago } from './draw.ts'
import { partiesOf } from './parties.ts'
import type { Payments, SeedPayment } from './payments.ts'

const HOUR = 3600

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

export function seedIncidents(payments: Payments, random: Randomness, now: string): void {
  for (const [from, to, amount, hoursAgo, fate, note] of incidents) {
    payments.pay({ ...partiesOf(from, to), amount, at: ago(random, now, hoursAgo * HOUR), fate, note })
  }
}
