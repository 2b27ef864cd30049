import { setTimeout as wait } from 'node:timers/promises'
import { requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectSameThroughCuts } from '../support/hub-cuts.ts'
import { OPERATOR_ID } from '../support/sandbox-controls.ts'
import { startFaultWorld } from './world.ts'

const REFRESH = '/api/v1/Users/refresh-token'
const TIMES = 5
const PAGES_AT_ONCE = 20
const AWAY_MS = 5_000
/** On the page of a transaction, and nowhere else. */
const NOTE = 'Read through the outage'

test.describe.configure({ timeout: 600_000 })

test('service and identity provider are away while access tokens end', async ({ programs, sandbox }) => {
  const world = await startFaultWorld(programs, sandbox)
  const reference = await sandbox.announceDeposit('ana@example.com', '10', NOTE)
  const page = () => world.person.page(`/transactions/${encodeURIComponent(reference)}`)
  const pages = () => Promise.all(Array.from({ length: PAGES_AT_ONCE }, page))
  expect((await pages()).filter((came) => !came.includes(NOTE))).toEqual([])
  const before = await sandbox.arrived('POST', REFRESH)
  let signedOut = 0
  let without = 0
  for (let time = 0; time < TIMES; time += 1) {
    await sandbox.expireTokens(OPERATOR_ID)
    await world.line.cut()
    const away = await pages()
    signedOut += away.filter((came) => came.startsWith('3') || came === '401').length
    await wait(AWAY_MS)
    await world.line.mend()
    await expect.poll(page, { timeout: 30_000 }).toContain(NOTE)
    without += (await pages()).filter((came) => !came.includes(NOTE)).length
  }
  const refreshes = (await sandbox.arrived('POST', REFRESH)) - before
  requireNone('service and identity provider are away while tokens end', TIMES, {
    'pages that led to sign-in while they were away': signedOut,
    'pages that did not come once they were back': without,
    'refreshes more or fewer than one per expiry': Math.abs(refreshes - TIMES),
  })
  await world.stop()
})

test('the hub is cut again and again while both parties write', async ({ browser, page, programs, sandbox }) => {
  const downMs = Array.from({ length: 10 }, (_, at) => (at % 3) * 700)
  await expectSameThroughCuts({ browser, page, programs, sandbox, downMs })
  requireNone('the hub is cut', downMs.length, { 'threads that are not the service’s': 0 })
})
