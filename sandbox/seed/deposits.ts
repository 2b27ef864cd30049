import type { Randomness } from '#sandbox/world/random.ts'
import { ago } from './draw.ts'
import type { Payments, SeedDeposit } from './payments.ts'
import { userIdEndingIn } from './people.ts'

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

export function seedDeposits(payments: Payments, random: Randomness, now: string): void {
  for (const [holder, amount, hoursAgo, fate, note, reference] of deposits) {
    const at = ago(random, now, hoursAgo * HOUR)
    payments.deposit({ to: userIdEndingIn(holder), amount, at, fate, note, reference })
  }
}
