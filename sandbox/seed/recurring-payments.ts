import { formatUnits } from '#sandbox/ledger/amount.ts'
import { DISPUTE_WINDOW_SECONDS, type GasTier } from '#sandbox/ledger/spend.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import { cardIdOf, type SeedCardName } from './cards.ts'
import { ago, drawBelow, drawFraction, drawFrom } from './draw.ts'
import { partiesOf } from './merchants.ts'
import type { Payments, SeedPayment } from './payments.ts'

const DAY = 86_400

interface RecurringPayment {
  /** Last digits of a user id. */
  readonly from: string
  /** Last digits of a user id, a merchant's id, or `bank`. */
  readonly to: string
  /** In days before now; `every` is an average. */
  readonly days: readonly [first: number, last: number, every: number]
  readonly amounts: readonly [least: number, most: number]
  readonly notes: readonly string[]
  readonly tier?: GasTier
  readonly card?: SeedCardName
}

const groceries = ['Groceries', 'Rice, beans, flour', 'Vegetables', 'Weekend shopping', 'Water and bread', '']
const coffee = ['Coffee', 'Breakfast', 'Coffee and fry jacks', 'Lunch plate', 'Two coffees', '']
const lunch = ['Lunch', 'My half of the taxi', 'Thanks for yesterday', 'Football fees', 'Coconut oil', 'Cinema']
const house = ['Electricity, my share', 'Internet', 'Rent, part', 'Gas cylinder', 'Water bill']
const work = ['Hours of last week', 'For the shift on Sunday', 'Fixing the roof', 'Fish for the weekend']
const market = ['Market', 'School things', 'Paint and brushes', 'Clothes', '=Receipt 2291', 'Batteries, rope']

const recurringPayments: readonly RecurringPayment[] = [
  { from: '011', to: 'merchant-001', days: [44, 35, 2.4], amounts: [8, 46], notes: groceries, card: 'lost' },
  { from: '011', to: 'merchant-001', days: [32, 0.2, 2.1], amounts: [8, 46], notes: groceries, card: 'everyday' },
  { from: '011', to: 'merchant-002', days: [44, 0.1, 3.4], amounts: [3, 12], notes: coffee, card: 'online' },
  { from: '011', to: 'merchant-003', days: [44, 1, 6.5], amounts: [15, 58], notes: market, tier: 'STANDARD' },
  { from: '011', to: '012', days: [50, 0.5, 6], amounts: [10, 45], notes: lunch },
  { from: '011', to: '013', days: [48, 1.2, 11], amounts: [25, 120], notes: house, tier: 'STANDARD' },
  { from: '011', to: '014', days: [24, 0.3, 8], amounts: [12, 60], notes: work, tier: 'FAST' },
  {
    from: '011',
    to: 'bank',
    days: [41, 3, 13],
    amounts: [90, 220],
    notes: ['To my savings', 'Cash for the holidays', ''],
  },
  { from: '012', to: '011', days: [50, 0.4, 7], amounts: [12, 50], notes: lunch },
  { from: '012', to: 'merchant-001', days: [40, 0.6, 3.7], amounts: [9, 40], notes: groceries, card: 'everyday' },
  { from: '012', to: 'merchant-002', days: [44, 0.2, 4.9], amounts: [4, 16], notes: coffee, card: 'online' },
  { from: '012', to: '013', days: [47, 1, 9], amounts: [30, 90], notes: work, tier: 'SLOW' },
  { from: '012', to: 'bank', days: [40, 2, 17], amounts: [120, 300], notes: ['Rent', ''] },
  { from: '013', to: '011', days: [49, 0.8, 9], amounts: [20, 90], notes: work, tier: 'SLOW' },
  { from: '013', to: '014', days: [25, 0.9, 6], amounts: [15, 55], notes: work },
  { from: '013', to: 'merchant-002', days: [43, 0.7, 5.2], amounts: [5, 20], notes: coffee, card: 'online' },
  { from: '013', to: 'merchant-003', days: [44, 1.5, 7], amounts: [20, 80], notes: market, tier: 'STANDARD' },
  { from: '013', to: 'bank', days: [38, 4, 15], amounts: [150, 320], notes: ['Supplier', 'Wages'] },
  { from: '014', to: '011', days: [24, 0.3, 6], amounts: [4, 20], notes: lunch },
  { from: '014', to: 'merchant-001', days: [24, 0.4, 4.3], amounts: [6, 28], notes: groceries, card: 'everyday' },
  { from: '014', to: 'merchant-003', days: [24, 1.1, 8], amounts: [10, 35], notes: market, tier: 'FAST' },
]

export function seedRecurringPayments(payments: Payments, random: Randomness, now: string): void {
  for (const recurring of recurringPayments) {
    const [first, last, every] = recurring.days
    for (let daysAgo = first; daysAgo > last; daysAgo -= every * (0.6 + 0.8 * drawFraction(random))) {
      payments.pay(paymentOf(recurring, random, now, daysAgo))
    }
  }
}

function paymentOf(recurring: RecurringPayment, random: Randomness, now: string, daysAgo: number): SeedPayment {
  const { from, to, tier, card } = recurring
  const parties = partiesOf(from, to)
  const windowIsOpen = daysAgo * DAY < DISPUTE_WINDOW_SECONDS
  const held = windowIsOpen ? 'held' : 'settled'
  const instant = parties.type === 'WITHDRAWAL' ? 'settled' : 'instant'
  return {
    ...parties,
    amount: formatUnits(drawAmount(random, recurring.amounts)),
    at: ago(random, now, daysAgo * DAY),
    fate: tier === undefined ? instant : held,
    note: drawFrom(random, recurring.notes),
    ...(tier === undefined ? {} : { tier }),
    ...(card === undefined ? {} : { cardId: cardIdOf(from, card) }),
  }
}

const drawAmount = (random: Randomness, [least, most]: readonly [number, number]): bigint =>
  BigInt(least * 100 + drawBelow(random, (most - least) * 100)) * 1_000_000n
