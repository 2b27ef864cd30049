import { describe, expect, test } from 'vitest'
import {
  nextReconcileSeconds,
  RECONCILE_END_SECONDS,
  type ReconciledAs,
  SETTLE_BY_HAND_AFTER_SECONDS,
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

test.each<ReconciledAs>(['unknown', 'accepted'])('one that is %s is first read after two seconds', (state) => {
  expect(timesOf(state)[0]).toBe(2)
})

test.each<ReconciledAs>(['unknown', 'accepted'])(
  'a person settles one that is %s after the frequent reads',
  (state) => {
    expect(timesOf(state).filter((at) => at <= SETTLE_BY_HAND_AFTER_SECONDS).length).toBeGreaterThan(10)
  },
)
