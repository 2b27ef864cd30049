import { expect, test } from 'vitest'
import { runSchedules, SCHEDULE_RULES } from '#lib/testing/approval-schedules.ts'
import { runs } from '#lib/testing/runs.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'

const SCHEDULES = runs(30, 12)

test(`${SCHEDULES} schedules of four people: nothing without a valid approval, beyond a limit, or twice`, async () => {
  await freshConsole()
  underPolicy(...SCHEDULE_RULES)
  const { effects, approved } = await runSchedules(SCHEDULES)
  // They reach what they are about.
  expect(Math.min(effects, approved)).toBeGreaterThan(SCHEDULES / 6)
}, 300_000)
