import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { recordSeen } from '../support/figures.ts'
import { countClosed, openAll } from './streams.ts'
import { expect, test } from './world.ts'

const PROGRAMS = { pgbouncer: 'PgBouncer', postgres: 'PostgreSQL' } as const
const RUNS = 20
/** Changes are confirmed within so long, and one of them is restarted meanwhile. */
const SPREAD_MS = 3_000
const READ_EVERY_MS = 1_000
const AFTERWARDS_MS = 4_000

for (const program of ['pgbouncer', 'postgres'] as const) {
  test(`everything is back by itself after ${PROGRAMS[program]} restarts`, async ({ cluster }) => {
    const scenario = `${PROGRAMS[program]} is restarted under load`
    const readers = await cluster.readers(2)
    const { streams } = await openAll(
      readers.map((person) => cluster.browserOf(person)),
      1,
    )
    const author = await cluster.signIn('operator@example.com')
    const changes = await cluster.prepare(RUNS, [author])
    const during = cluster.keepReading(readers, READ_EVERY_MS)
    const confirmed = changes.map(async ({ id, told, person }) => {
      await wait(randomInt(0, SPREAD_MS))
      told.push(await person.confirm(id))
    })
    await wait(SPREAD_MS / 3)
    const began = performance.now()
    await cluster.postgres.restart(program)
    await Promise.all(cluster.ports.map((port) => backAt(port)))
    const back = performance.now() - began
    await Promise.all(confirmed)
    const { pages, failed, lostSessions } = await during.stop()
    const after = cluster.keepReading(readers, READ_EVERY_MS)
    await wait(AFTERWARDS_MS)
    const seen = await after.stop()
    recordSeen(scenario, RUNS, {
      'ms until both processes are ready': Math.round(back),
      'pages read': pages,
      'pages that did not come at once': failed,
    })
    await cluster.judge(scenario, changes, {
      'sessions lost': lostSessions + seen.lostSessions,
      'pages that fail when it is back': seen.failed,
      'streams that are not open when it is back': countClosed(streams),
    })
  })
}

const backAt = (port: number): Promise<void> =>
  expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/api/ready`)).status, { timeout: 30_000, intervals: [50] })
    .toBe(200)
