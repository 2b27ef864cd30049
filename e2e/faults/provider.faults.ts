import { randomInt } from 'node:crypto'
import { requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { OPERATOR_ID } from '../support/sandbox-controls.ts'
import type { Harm } from './faulty-line.ts'
import { startFaultWorld } from './world.ts'

const PAGES_AT_ONCE = 5
const BYTES_MAX = 1_000
const NOTE = 'Read with a renewed token'
const WHY = 'Single sign-on cannot be reached'

const anywhere = (): number => randomInt(0, BYTES_MAX)

const answers: Readonly<Record<string, () => Harm>> = {
  cut: () => ({ to: 'answer', afterBytes: anywhere(), how: 'reset' }),
  ended: () => ({ to: 'answer', afterBytes: anywhere(), how: 'end' }),
  garbled: () => ({ to: 'answer', afterBytes: anywhere(), how: 'garble' }),
  trickling: () => ({ to: 'answer', afterBytes: 0, how: 'trickle' }),
  'without an end': () => ({ to: 'answer', afterBytes: 0, how: 'endless' }),
  silent: () => ({ to: 'answer', afterBytes: anywhere(), how: 'silence' }),
}

test.describe.configure({ timeout: 300_000 })

test('what the identity provider says of itself is cut, garbled, trickling or endless', async ({
  playwright,
  programs,
  sandbox,
}) => {
  const world = await startFaultWorld(programs, sandbox, { sso: { request: playwright.request } })
  const { person, line, program } = world
  const reference = await sandbox.announceDeposit('ana@example.com', '10', NOTE)
  const path = `/transactions/${encodeURIComponent(reference)}`
  expect(await person.page(path)).toContain(NOTE)
  const seen = { signedOut: 0, noPage: 0, unsaid: 0, refreshes: 0, without: 0 }
  for (const harm of Object.values(answers)) {
    await sandbox.expireTokens(OPERATOR_ID)
    // A new process has to ask the provider what it is.
    await program.stop()
    await program.start()
    const before = line.refreshed.size
    line.harmEach((_method, url) => (url.endsWith('/openid-configuration') ? harm() : null))
    for (const { status, text } of await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => person.open(path)))) {
      if ((status >= 300 && status < 400) || status === 401) seen.signedOut += 1
      else if (status !== 200) seen.noPage += 1
      else if (!text.includes(NOTE) && !text.includes(WHY)) seen.unsaid += 1
    }
    line.harmEach(() => null)
    await expect.poll(() => person.page(path), { timeout: 40_000 }).toContain(NOTE)
    const back = await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => person.page(path)))
    seen.without += back.filter((text) => !text.includes(NOTE)).length
    seen.refreshes += Math.abs(line.refreshed.size - before - 1)
  }
  const scenario = 'the provider’s discovery is cut, garbled, trickling or endless'
  requireNone(scenario, Object.keys(answers).length, {
    'pages that led to sign-in': seen.signedOut,
    'pages that were no page': seen.noPage,
    'pages that neither came nor said why': seen.unsaid,
    'pages that did not come afterwards': seen.without,
    'refreshes more or fewer than one per expiry': seen.refreshes,
  })
  await world.judge(scenario, [])
  await world.stop()
})
