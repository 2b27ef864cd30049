import { expect, test } from '@playwright/test'

/** A limit of a scenario and its result; `scripts/test-figures.ts` prints all as one table. `null`: there is no limit. */
export interface Figure {
  readonly scenario: string
  readonly runs: number
  readonly what: string
  readonly required: number | null
  readonly seen: number
}

/** Notes a figure, and fails the test where it is not what is required. The others of the same test are still noted. */
export function requireNone(scenario: string, runs: number, seen: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(seen)) {
    note({ scenario, runs, what, required: 0, seen: count })
    expect.soft(count, `${scenario}: ${what}`).toBe(0)
  }
}

/** What people were told at once, by class: it shows that a fault was met. */
export function recordOutcomes(scenario: string, runs: number, told: readonly string[]): void {
  for (const name of new Set(told)) {
    const seen = told.filter((one) => one === name).length
    note({ scenario, runs, what: `told at once: ${name}`, required: null, seen })
  }
}

/** Notes what was measured, of which nothing is required. */
export function recordSeen(scenario: string, runs: number, seen: Readonly<Record<string, number>>): void {
  for (const [what, figure] of Object.entries(seen)) note({ scenario, runs, what, required: null, seen: figure })
}

const note = (figure: Figure): void =>
  void test.info().annotations.push({ type: 'figure', description: JSON.stringify(figure) })
