import { describe, expect, test } from 'vitest'
import {
  handAfterSeconds,
  nextReconcileSeconds,
  RECONCILE_END_SECONDS,
  type ReconciledAs,
} from './reconcile-schedule.ts'

function timesOf(state: ReconciledAs): readonly number[] {
  const looks: number[] = []
  for (let at = nextReconcileSeconds(state, 0); at !== null; at = nextReconcileSeconds(state, at)) looks.push(at)
  return looks
}

describe.each<ReconciledAs>(['unknown', 'accepted', 'not_applied'])('one that is %s', (state) => {
  test('is looked at for a whole day, ever more rarely', () => {
    const looks = timesOf(state)
    expect(looks.at(-1)).toBe(RECONCILE_END_SECONDS)
    expect(RECONCILE_END_SECONDS).toBeGreaterThanOrEqual(24 * 3600)
    const pauses = looks.map((at, index) => at - (looks[index - 1] ?? 0)).slice(1)
    // The first minutes follow the interface's own guidance.
    const late = pauses.filter((_pause, index) => (looks[index] ?? 0) >= 660)
    expect(late).toEqual(late.toSorted((one, other) => one - other))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_800)
    expect(looks.length).toBeLessThan(150)
  })
})

test('a person may say what came of it only after the close looks', () => {
  expect(timesOf('unknown').filter((at) => at <= handAfterSeconds('unknown')).length).toBeGreaterThan(10)
  expect(handAfterSeconds('accepted')).toBe(RECONCILE_END_SECONDS)
})
