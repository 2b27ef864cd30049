import { expect, test } from 'vitest'
import { runSchedules, SCHEDULE_RULES } from '#lib/testing/approval-schedules.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'

const SCHEDULES = 2_000

test(`${SCHEDULES} schedules of four people: nothing without a valid approval, beyond a limit, or twice`, {
  timeout: 1_800_000,
}, async () => {
  await freshConsole()
  underPolicy(...SCHEDULE_RULES)
  const { effects, approved } = await runSchedules(SCHEDULES)
  expect(Math.min(effects, approved)).toBeGreaterThan(SCHEDULES / 6)
})
