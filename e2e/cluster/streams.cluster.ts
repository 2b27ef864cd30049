import { setTimeout as wait } from 'node:timers/promises'
import { costOf } from '../support/cost.ts'
import { recordSeen, requireNone } from '../support/figures.ts'
import { backAfter, countClosed, countLate, openAll, waitUntilBack } from './streams.ts'
import { test } from './world.ts'

const SCENARIO = 'a process with streams is killed'
/** With five sessions each, and five tabs a session. */
const PEOPLE = 40
const TABS_EACH = 5
const READ_EVERY_MS = 25_000
const CALM_MS = 20_000
/** People whose requests failed have come to the other process by then. */
const SETTLED_MS = 2_000

test('a thousand streams are back soon after a process is killed', async ({ cluster }) => {
  const people = await cluster.readers(PEOPLE)
  const browsers = people.map((person) => cluster.browserOf(person))
  const opened = await openAll(browsers, TABS_EACH)
  const { streams } = opened
  const reading = cluster.keepReading(browsers, READ_EVERY_MS)
  const costs = async () => {
    const before = cluster.consoles.map(({ pid }) => costOf(pid))
    await wait(CALM_MS)
    return cluster.consoles.map(({ pid }, at) => {
      const { memory, cpuMs } = costOf(pid)
      return { memory, share: (cpuMs - (before[at]?.cpuMs ?? 0)) / CALM_MS }
    })
  }
  const calm = await costs()
  const kill = async (at: 0 | 1) => {
    const began = performance.now()
    const open = streams.length - countClosed(streams)
    await cluster.consoles[at].stop('SIGKILL')
    await waitUntilBack(opened, began)
    const times = backAfter(streams, began)
    return {
      late: countLate(opened, began),
      cut: times.length + countClosed(streams),
      open,
      slowest: Math.round(times.at(-1) ?? 0),
      p99: Math.round(times[Math.floor(times.length * 0.99)] ?? 0),
    }
  }
  const one = await kill(0)
  await cluster.consoles[0].start()
  await wait(SETTLED_MS)
  // By now the other process has all of them.
  const all = await kill(1)
  await cluster.consoles[1].start()
  await wait(SETTLED_MS)
  const { pages, failed, failedTwice, lostSessions } = await reading.stop()
  for (const [at, { memory, share }] of calm.entries())
    recordSeen(SCENARIO, streams.length, {
      [`MiB of process ${at + 1}`]: Math.round(memory / 2 ** 20),
      [`per cent of a core of process ${at + 1}, while all is calm`]: Math.round(share * 100),
    })
  recordSeen(SCENARIO, people.length, {
    'pages read': pages,
    'pages that came at the second try': failed - failedTwice,
  })
  for (const [whose, { cut, slowest, p99, late }] of Object.entries({ 'of both': one, 'that were all in one': all }))
    recordSeen(SCENARIO, cut, {
      [`streams ${whose}: ms until the slowest is back`]: slowest,
      [`streams ${whose}: ms until back, p99`]: p99,
      [`streams ${whose}: back too late`]: late,
    })
  recordSeen(SCENARIO, streams.length, { 'ms in which streams are to be back': Math.round(opened.backWithinMs) })
  requireNone(SCENARIO, streams.length, {
    'streams that are not open before': streams.length - one.open,
    'streams that are back too late': one.late,
    'streams that are not back in the end': countClosed(streams),
    'pages that failed twice': failedTwice,
    'sessions lost': lostSessions,
  })
})
