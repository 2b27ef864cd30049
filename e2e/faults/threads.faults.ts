import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { Holder } from '../support/holder.ts'
import { ANA, BEN } from '../support/sandbox-controls.ts'
import { signInWithPassword } from '../support/sign-in.ts'
import { bodiesShown, connection } from '../support/workbench.ts'
import { startFaultWorld } from './world.ts'

const MESSAGES = 24
const RESETS_MIN = 5
const EVERY_MS = 400
const KILLS = 2
/** The answer to the upgrade, and some frames. */
const BYTES = [150, 2_500] as const
const BACK = { timeout: 60_000 }

test.describe.configure({ timeout: 300_000 })

test('keeps threads right while hub and console break', async ({ browser, programs, sandbox }) => {
  const world = await startFaultWorld(programs, sandbox, { email: 'admin@example.com' })
  const { line, program } = world
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  const ben = await Holder.signIn(programs.sandboxUrl, 'ben@example.com', BEN)
  const context = await browser.newContext({ baseURL: world.consoleUrl })
  const page = await context.newPage()
  await signInWithPassword(page, 'admin@example.com')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await page.goto(`/disputes/${caseId}`)
  await expect(connection(page, 'Live')).toBeVisible(BACK)

  let resets = 0
  line.harmEach((_method, path) => {
    if (!path.startsWith('/hubs/')) return null
    resets += 1
    return { to: 'answer', afterBytes: randomInt(...BYTES), how: 'reset' }
  })
  line.resetHub()
  for (let n = 0; n < MESSAGES || (resets < RESETS_MIN && n < MESSAGES * 4); n += 1) {
    await (n % 2 === 0 ? ana : ben).write(caseId, `Through the resets ${n}`)
    await wait(EVERY_MS)
  }
  line.harmEach(() => null)
  line.resetHub()
  await expect(connection(page, 'Live')).toBeVisible(BACK)
  const differing = async (): Promise<number> => {
    const written = await sandbox.bodiesOf(caseId)
    const same = async () => JSON.stringify(await bodiesShown(page)) === JSON.stringify(written)
    return (await expect
      .poll(same, BACK)
      .toBe(true)
      .then(
        () => true,
        () => false,
      ))
      ? 0
      : 1
  }
  const afterResets = await differing()

  let afterKills = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    await ana.write(caseId, `Before kill ${kill}`)
    await program.stop('SIGKILL')
    await ben.write(caseId, `While it is dead ${kill}`)
    await program.start()
    await ana.write(caseId, `After kill ${kill}`)
    afterKills += await differing()
  }
  const scenario = 'the hub is reset at any byte, and the console killed with a thread open'
  requireNone(scenario, MESSAGES + KILLS, {
    'threads that are not the service’s after the resets': afterResets,
    'threads that are not the service’s after a kill': afterKills,
    'resets fewer than wanted': Math.max(0, RESETS_MIN - resets),
  })
  await world.judge(scenario, [])
  await context.close()
  await world.stop()
})
