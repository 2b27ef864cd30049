import { expect, test } from 'vitest'
import { runSchedulesInProcesses, SCHEDULE_RULES } from '#lib/testing/approval-schedules.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'

const SCHEDULES = 10_000

test(`${SCHEDULES} schedules at two processes, killed now and then: nothing without a valid approval, beyond a limit, or twice`, {
  timeout: 3_600_000,
}, async () => {
  await freshConsole()
  underPolicy(...SCHEDULE_RULES)
  const { effects, approved, kills } = await runSchedulesInProcesses(SCHEDULES)
  expect(Math.min(effects, approved)).toBeGreaterThan(SCHEDULES / 6)
  expect(kills).toBeGreaterThan(SCHEDULES / 500)
})
