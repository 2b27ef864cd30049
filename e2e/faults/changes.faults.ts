import { randomInt } from 'node:crypto'
import { test } from '../support/fixtures.ts'
import type { Harm } from './faulty-line.ts'
import { CONFIRM, startFaultWorld } from './world.ts'

/** A person may make 60 changes in ten minutes. */
const RUNS = 40
/** Request and answer have fewer bytes; past their end nothing is spoilt. */
const BYTES_MAX = 1_000

const anywhere = (): number => randomInt(0, BYTES_MAX)

const harms: Readonly<Record<string, () => Harm>> = {
  'the request is cut at any byte': () => ({ to: 'request', afterBytes: anywhere() }),
  'the answer is reset at any byte': () => ({ to: 'answer', afterBytes: anywhere(), how: 'reset' }),
  'the answer ends at any byte': () => ({ to: 'answer', afterBytes: anywhere(), how: 'end' }),
  'the answer is garbled from any byte on': () => ({ to: 'answer', afterBytes: anywhere(), how: 'garble' }),
  'the answer trickles': () => ({ to: 'answer', afterBytes: anywhere(), how: 'trickle' }),
  'the answer never ends': () => ({ to: 'answer', afterBytes: 0, how: 'endless' }),
  'the answer stops at any byte, and the connection stays': () => ({
    to: 'answer',
    afterBytes: anywhere(),
    how: 'silence',
  }),
}

/** What the service itself may answer; every one is an answer to this one change. */
const answers: Readonly<Record<string, unknown>> = {
  'the service answers 429 with Retry-After': { status: 429, code: 'core::rate', title: 'Slow down', retryAfter: 1 },
  'a storm of 503': { status: 503, code: 'core::out', title: 'Out' },
  'the service takes its time': { delayMs: 2_000 },
  'the service cuts the line before': 'drop-before',
  'the service cuts the line after': 'drop-after',
}

test.describe.configure({ timeout: 300_000 })

for (const [scenario, harm] of Object.entries(harms)) {
  test(scenario, async ({ programs, sandbox }) => {
    const world = await startFaultWorld(programs, sandbox)
    const changes = await world.prepare(RUNS)
    world.line.harm(CONFIRM, changes.map(harm))
    await Promise.all(changes.map(world.confirm))
    await world.judge(scenario, changes, { 'faults that met no request': await sandbox.faultsWaiting() })
    await world.stop()
  })
}

for (const [scenario, effect] of Object.entries(answers)) {
  test(scenario, async ({ programs, sandbox }) => {
    const world = await startFaultWorld(programs, sandbox)
    const changes = await world.prepare(RUNS)
    await sandbox.fault({ method: 'POST', path: CONFIRM, times: RUNS, effect })
    await Promise.all(changes.map(world.confirm))
    await world.judge(scenario, changes, { 'faults that met no request': await sandbox.faultsWaiting() })
    await world.stop()
  })
}
