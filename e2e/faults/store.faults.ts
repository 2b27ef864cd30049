import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '../support/fixtures.ts'
import type { Postgres } from '../support/postgres.ts'
import type { Programs } from '../support/programs.ts'
import { type StoreTrouble, startStoreLine } from './store-line.ts'
import { type FaultWorld, startFaultWorld } from './world.ts'

const RUNS = 40
/** Changes are confirmed within so long, and the store is away for a part of it. */
const SPREAD_MS = 4_000
const AWAY_MS = 2_000

const FULL = `CREATE FUNCTION refuse_full() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON command_event FOR EACH ROW EXECUTE FUNCTION refuse_full();`
const ROOM = 'DROP TRIGGER full_disk ON command_event; DROP FUNCTION refuse_full();'
const FAIL_OVER = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

test.describe.configure({ timeout: 300_000 })

function postgresOf({ postgres }: Programs): Postgres {
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  return postgres
}

/** Changes are confirmed at moments of their own while the store is in trouble, and ends of it. */
async function confirmDuring(world: FaultWorld, begin: () => Promise<unknown>, end: () => Promise<unknown>) {
  const changes = await world.prepare(RUNS)
  const trouble = wait(SPREAD_MS / 4).then(async () => {
    await begin()
    await wait(AWAY_MS)
    await end()
  })
  const confirmed = changes.map(async (change) => {
    await wait(randomInt(0, SPREAD_MS))
    await world.confirm(change)
  })
  await Promise.all([trouble, ...confirmed])
  await expect.poll(async () => (await fetch(`${world.consoleUrl}/api/ready`)).status, { timeout: 30_000 }).toBe(200)
  return changes
}

for (const trouble of ['dark', 'down', 'slow'] satisfies StoreTrouble[]) {
  test(`the store is ${trouble} while changes are made`, async ({ programs, sandbox }) => {
    const line = await startStoreLine(postgresOf(programs).url)
    const world = await startFaultWorld(programs, sandbox, { environment: { DATABASE_URL: line.url } })
    const changes = await confirmDuring(
      world,
      () => line.begin(trouble),
      () => line.mend(),
    )
    await world.judge(`the store is ${trouble}`, changes)
    await world.stop()
    await line.stop()
  })
}

const troubles: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  'the store’s disk is full': [FULL, ROOM],
  'the store fails over': [FAIL_OVER, FAIL_OVER],
}

for (const [scenario, [begin, end]] of Object.entries(troubles)) {
  test(scenario, async ({ programs, sandbox }) => {
    const postgres = postgresOf(programs)
    const world = await startFaultWorld(programs, sandbox)
    const changes = await confirmDuring(
      world,
      () => postgres.query(begin),
      () => postgres.query(end),
    )
    await world.judge(scenario, changes)
    await world.stop()
  })
}
