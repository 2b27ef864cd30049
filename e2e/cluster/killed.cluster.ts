import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { recordSeen } from '../support/figures.ts'
import { test } from './world.ts'

const SCENARIO = 'a process is killed under load'
const KILLS = 6
const CHANGES_EACH = 10
/** So long after the first change begins, a process is gone. */
const WITHIN_MS = 300
const READ_EVERY_MS = 2_000
/** People whose requests failed have come to the other process by then. */
const SETTLED_MS = 2_000

test('a process that is killed takes no session and no change with it', async ({ cluster }) => {
  const readers = await cluster.readers(6)
  const authors = []
  for (let n = 0; n < 10; n += 1)
    authors.push(await cluster.signIn(n % 2 === 0 ? 'operator@example.com' : 'admin@example.com'))
  const changes = await cluster.prepare(KILLS * CHANGES_EACH, authors)
  const reading = cluster.keepReading([...readers, ...authors], READ_EVERY_MS)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const now = changes.slice(kill * CHANGES_EACH, (kill + 1) * CHANGES_EACH)
    const confirmed = now.map(async ({ id, told, person }) => {
      await wait(randomInt(0, WITHIN_MS))
      told.push(await person.confirm(id))
    })
    await wait(randomInt(0, WITHIN_MS))
    const program = cluster.consoles[kill % 2 === 0 ? 0 : 1]
    await program.stop('SIGKILL')
    await Promise.all(confirmed)
    await program.start()
    await wait(SETTLED_MS)
  }
  const { pages, failed, failedTwice, lostSessions } = await reading.stop()
  recordSeen(SCENARIO, KILLS, { 'pages read': pages, 'pages that came at the second try': failed - failedTwice })
  await cluster.judge(SCENARIO, changes, {
    'pages that failed twice': failedTwice,
    'sessions lost': lostSessions,
  })
})
