import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { recordSeen } from '../support/figures.ts'
import { signInWithPassword } from '../support/sign-in.ts'
import { camtFile } from '../support/statement-tasks.ts'
import { composer, connection } from '../support/workbench.ts'
import { makeSecondBuild, type SecondBuild } from './second-build.ts'
import { backAfter, countLate, openAll, waitUntilBack } from './streams.ts'
import { type ChangeByActor, type Cluster, expect, test } from './world.ts'

const SCENARIO = 'both processes are restarted, one after the other, with another build'
const CHANGES = 40
/** Both restarts take about so long; changes are confirmed all the time. */
const SPREAD_MS = 14_000
const READ_EVERY_MS = 2_000
const LINES = 1_500
const NEW_VERSION = 'A new version of the console is available'
const TYPED = 'Typed under the build before'

test.describe.configure({ timeout: 420_000 })

let second: SecondBuild
test.beforeAll(() => {
  test.setTimeout(240_000)
  second = makeSecondBuild()
})
test.afterAll(() => rmSync(second.folder, { recursive: true, force: true }))

async function confirmMeanwhile(changes: readonly ChangeByActor[]): Promise<void> {
  const confirmed = changes.map(async ({ id, told, person }) => {
    await wait(randomInt(0, SPREAD_MS))
    told.push(await person.confirm(id))
  })
  await Promise.all(confirmed)
}

/** Lines of the statement that are not there, or that nobody has looked up. */
async function linesLost({ postgres }: Cluster, statement: string): Promise<number> {
  const [row] = await postgres.query(
    'SELECT count(*) AS kept FROM statement_line WHERE statement_id = $1 AND looked_at IS NOT NULL',
    [statement],
  )
  return LINES - Number(row?.kept)
}

/** One that another process goes on with is still the same. */
async function looksAsked({ postgres }: Cluster, statement: string): Promise<number> {
  const [row] = await postgres.query('SELECT work_runs FROM statement WHERE id = $1', [statement])
  return Number(row?.work_runs)
}

test('from one build to the next nothing is lost, and nobody sees an error', async ({ cluster, sandbox, browser }) => {
  const readers = await cluster.readers(4)
  const browsers = readers.map((person) => cluster.browserOf(person))
  const opened = await openAll(browsers, 5)
  const authors = [await cluster.signIn('operator@example.com'), await cluster.signIn('admin@example.com')] as const
  const changes = await cluster.prepare(CHANGES, authors)
  const context = await browser.newContext({ baseURL: cluster.url, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await signInWithPassword(page, 'arbitrator@example.com')
  await expect(page.getByRole('button', { name: 'Account: arbitrator@example.com' })).toBeVisible()
  await page.goto(`/disputes/${await sandbox.raiseCase()}`)
  await expect(connection(page, 'Live')).toBeVisible()
  await composer(page).fill(TYPED)

  const before = cluster.balancer.answers().length
  const reading = cluster.keepReading(browsers, READ_EVERY_MS)
  const confirmed = confirmMeanwhile(changes)
  const [, author] = authors
  const statement = await author.import(
    camtFile(Array.from({ length: LINES }, (_, n) => ({ reference: `R${n}`, amount: '1.00' }))),
  )
  // As its open page does. Nobody asks for the rest to be looked up.
  cluster.browserOf(author).follow(['session', `statement ${statement}`])
  const first = await cluster.consoleOf(author)
  let [late, cutShort] = [0, 0]
  for (const at of [first, 1 - first] as const) {
    const began = performance.now()
    const program = cluster.consoles[at === 0 ? 0 : 1]
    const stopped = program.stop('SIGTERM')
    await waitUntilBack(opened, began)
    late += countLate(opened, began)
    recordSeen(SCENARIO, 1, {
      'lines that wait to be looked up': await linesLost(cluster, statement),
      'ms until the slowest stream is back': Math.round(backAfter(opened.streams, began).at(-1) ?? 0),
      'ms in which streams are to be back': Math.round(opened.backWithinMs),
    })
    if ((await stopped) !== 0) cutShort += 1
    await program.start({}, { cwd: second.folder })
  }
  await confirmed
  const { pages, failed, lostSessions } = await reading.stop()
  const errors = cluster.balancer.answers().filter(({ status }, at) => at >= before && status >= 500)

  await expect(page.getByText(NEW_VERSION)).toBeVisible({ timeout: 40_000 })
  await expect(composer(page)).toHaveValue(TYPED)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText(NEW_VERSION)).toHaveCount(0)
  await expect(connection(page, 'Live')).toBeVisible()
  await expect(composer(page)).toHaveValue(TYPED)
  expect(await page.content()).toContain(`dpl=${second.name}`)
  await context.close()

  await expect.poll(() => linesLost(cluster, statement), { timeout: 30_000 }).toBe(0)
  recordSeen(SCENARIO, 1, { 'pages read': pages })
  await cluster.judge(SCENARIO, changes, {
    'answers with 5xx': errors.length,
    'changes whose answer was lost': changes.filter(({ told: [one] }) => ['lost', 'denied'].includes(one?.class ?? ''))
      .length,
    'processes that ended with a change under way': cutShort,
    'pages that failed': failed,
    'sessions lost': lostSessions,
    'streams that are back too late': late,
    'lines of the import lost': await linesLost(cluster, statement),
    'looks at the import that had to be asked for': (await looksAsked(cluster, statement)) - 1,
  })
})
