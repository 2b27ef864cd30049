import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { type Change, countWrongs } from '../faults/certainty.ts'
import { type FaultyLine, startFaultyLine } from '../faults/faulty-line.ts'
import { Person } from '../faults/person.ts'
import { prepareDeposit } from '../faults/prepare-deposit.ts'
import { recordOutcomes, requireNone } from '../support/figures.ts'
import { test as base } from '../support/fixtures.ts'
import type { Postgres } from '../support/postgres.ts'
import type { Programs } from '../support/programs.ts'
import type { SandboxControls } from '../support/sandbox-controls.ts'
import { type Balancer, prepareBalancer } from './balancer.ts'
import { Browser } from './browser.ts'
import { keepReading, type Reading } from './reading.ts'

/** What the console allows. */
const SESSIONS_EACH = 5
/** The console tries so few passwords at once. */
const SIGN_INS_AT_ONCE = 6

/** A change, and whose it is. */
export interface ChangeByActor extends Change {
  readonly person: Person
}

/** Two consoles behind the balancer, their store behind PgBouncer. */
export interface Cluster {
  readonly url: string
  readonly balancer: Balancer
  readonly consoles: readonly [Programs['console'], Programs['console']]
  readonly ports: readonly [number, number]
  readonly postgres: Postgres
  signIn(email: string): Promise<Person>
  /** Which of the two consoles answers somebody. */
  consoleOf(person: Person): Promise<number>
  /** So many wallet holders with five sessions each, whom these consoles take for staff that reads. */
  readers(count: number): Promise<readonly Person[]>
  browserOf(person: Person): Browser
  /** They read pages until that is stopped, or the test ends. */
  keepReading(readers: Parameters<typeof keepReading>[0], pauseMs: number): Reading
  /** Announces deposits and prepares their confirmations, one person after the other. */
  prepare(count: number, people: readonly Person[]): Promise<readonly ChangeByActor[]>
  /** What has to be 0 after a scenario is counted, noted and required. */
  judge(scenario: string, changes: readonly ChangeByActor[], more?: Readonly<Record<string, number>>): Promise<void>
}

type Stops = (() => unknown)[]

interface Running {
  readonly programs: Programs
  readonly sandbox: SandboxControls
  readonly postgres: Postgres
  readonly line: FaultyLine
  readonly unjournaled: () => number
  readonly balancer: Balancer
  readonly consoles: Cluster['consoles']
  readonly ports: Cluster['ports']
  readonly stops: Stops
}

/** `stops`: what is started is put there at once, so that it ends where something later does not start. */
async function run(programs: Programs, sandbox: SandboxControls, stops: Stops): Promise<Running> {
  const { postgres } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  // There are two processes alone; this one is behind no balancer.
  await programs.console.stop()
  await programs.startOver()
  let unjournaled = 0
  const line = await startFaultyLine(programs.proxy.url, async (reference) => {
    const sent = await postgres.query(
      `SELECT 1 FROM command JOIN command_event ON command_id = id WHERE target = $1 AND command_event.state = 'sent'`,
      [reference],
    )
    if (sent.length === 0) unjournaled += 1
  })
  stops.push(() => line.stop())
  const balancer = await prepareBalancer()
  const databaseUrl = await postgres.pooled()
  const start = async () => {
    const { url, program } = await programs.startAnotherConsole(() => ({
      NEXTAUTH_URL: balancer.url,
      CORE_API_URL: line.url,
      DATABASE_URL: databaseUrl,
      BEHIND_PROXY: 'on',
      COMPRESS: 'off',
      STAFF_SCOPES: 'core:disputes:read',
    }))
    stops.push(() => program.stop())
    return { program, port: Number(new URL(url).port) }
  }
  const [one, other] = [await start(), await start()]
  const ports = [one.port, other.port] as const
  // It ends before them, so that none of its connections keeps a console.
  stops.push(() => balancer.stop())
  await balancer.start(ports)
  const consoles = [one.program, other.program] as const
  return { programs, sandbox, postgres, line, unjournaled: () => unjournaled, balancer, consoles, ports, stops }
}

function clusterOf(running: Running): Cluster {
  const { sandbox, line, balancer, consoles, ports, postgres, stops } = running
  const people: Person[] = []
  const browsers: Browser[] = []
  stops.push(() => browsers.map((browser) => browser.close()))
  const signIn = async (email: string): Promise<Person> => {
    const person = await Person.signIn(balancer.url, email)
    people.push(person)
    return person
  }
  return {
    url: balancer.url,
    balancer,
    consoles,
    ports,
    postgres,
    signIn,
    async consoleOf(person) {
      const mark = `/api/health?mark=${crypto.randomUUID()}`
      await person.page(mark)
      const answered = () => balancer.answers().find(({ request }) => request.endsWith(mark))
      await expect.poll(answered).toBeDefined()
      return answered()?.port === ports[0] ? 0 : 1
    },
    async readers(count) {
      const emails: string[] = []
      for (let n = 0; n < count; n += 1) {
        const { email } = await sandbox.newHolder(`reader${n}`)
        emails.push(...Array.from({ length: SESSIONS_EACH }, () => email))
      }
      const readers: Person[] = []
      const next = async (): Promise<void> => {
        for (let email = emails.shift(); email !== undefined; email = emails.shift()) readers.push(await signIn(email))
      }
      await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, next))
      return readers
    },
    browserOf(person) {
      const browser = new Browser(balancer.url, person.headers.cookie)
      browsers.push(browser)
      return browser
    },
    keepReading(readers, pauseMs) {
      const reading = keepReading(readers, pauseMs)
      stops.push(() => reading.stop())
      return reading
    },
    async prepare(count, authors) {
      const changes: ChangeByActor[] = []
      for (let n = 0; n < count; n += 1) {
        const person = authors[n % authors.length]
        if (person === undefined) throw new Error('nobody is signed in')
        const change = await prepareDeposit(sandbox, person)
        line.watch(change.mark)
        changes.push({ ...change, person })
      }
      return changes
    },
    judge: (scenario, changes, more) => judge(running, people, scenario, changes, more),
  }
}

async function judge(
  { programs, postgres, line, unjournaled, balancer, consoles }: Running,
  people: readonly Person[],
  ...[scenario, changes, more = {}]: Parameters<Cluster['judge']>
): Promise<void> {
  const [{ person } = { person: undefined }] = changes
  if (person === undefined) throw new Error('no change was made')
  const atOnce = changes.map(({ told: [first] }) => first?.class ?? 'nothing')
  const wrongs = await countWrongs({
    changes,
    line,
    person,
    postgres,
    unjournaled: unjournaled(),
    log: [...consoles.map(({ printed }) => printed), balancer.log()].join('\n'),
    tokens: [...programs.proxy.tokens, ...people.flatMap(({ secrets }) => secrets)],
  })
  recordOutcomes(scenario, changes.length, atOnce)
  requireNone(scenario, changes.length, {
    ...wrongs,
    'events without a place in the signed log': await eventsWithoutPlace(postgres),
    'a journal that is not whole': journalIsWhole(programs) ? 0 : 1,
    ...more,
  })
}

const PLACED_WITHIN_MS = 10_000

async function eventsWithoutPlace(postgres: Postgres): Promise<number> {
  const count = async () => {
    const [row] = await postgres.query('SELECT count(*) AS waiting FROM log_pending')
    return Number(row?.waiting)
  }
  for (const until = Date.now() + PLACED_WITHIN_MS; Date.now() < until && (await count()) > 0; ) await wait(100)
  return await count()
}

/** As `npm run audit:verify` says. */
function journalIsWhole({ consoleEnvironment }: Programs): boolean {
  const { status } = spawnSync(process.execPath, ['--conditions=react-server', 'scripts/audit-verify.ts'], {
    env: { ...process.env, ...consoleEnvironment },
  })
  return status === 0
}

/** The programs of a worker, and before them what stands around several processes; all of it ends with the test, however that went. */
export const test = base.extend<{ readonly cluster: Cluster }>({
  cluster: [
    async ({ programs, sandbox }, use) => {
      const stops: Stops = []
      try {
        await use(clusterOf(await run(programs, sandbox, stops)))
      } finally {
        for (const stop of stops.toReversed()) await stop()
        await programs.console.start()
      }
    },
    { timeout: 120_000 },
  ],
})

export { expect } from '@playwright/test'
