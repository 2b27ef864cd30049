import { setTimeout as wait } from 'node:timers/promises'
import { test } from '../support/fixtures.ts'
import type { Harm } from './faulty-line.ts'
import { type HeldAt, startStoreLine } from './store-line.ts'
import { CONFIRM, startFaultWorld } from './world.ts'

const RUNS = 3
const HELD_WITHIN_MS = 10_000
/** The events of a change that a person confirms: it is sent, and what came of it. */
const [SENT, ENDED] = [1, 2]

interface Step {
  /** Held at the store: which event of the change, and where in its transaction. */
  readonly event?: readonly [nth: number, at: HeldAt]
  /** Held on the way to the service. */
  readonly wire?: Harm
}

/** Every step of a change in their order; at each the console is held for certain, and killed there. */
const steps: Readonly<Record<string, Step>> = {
  'before it is journaled as sent': { event: [SENT, 'event'] },
  'journaled as sent, and not committed': { event: [SENT, 'commit'] },
  'committed as sent, and the console has not heard so': { event: [SENT, 'committed'] },
  'before the first byte of its request': { wire: { to: 'request', afterBytes: 0, how: 'hold' } },
  'in the middle of its request': { wire: { to: 'request', afterBytes: 150, how: 'hold' } },
  'its request is at the service, and no byte of the answer is here': {
    wire: { to: 'answer', afterBytes: 0, how: 'silence' },
  },
  'in the middle of its answer': { wire: { to: 'answer', afterBytes: 150, how: 'silence' } },
  'the answer is here, and not in the journal': { event: [ENDED, 'event'] },
  'the answer is journaled, and not committed': { event: [ENDED, 'commit'] },
  'the answer is committed, and the console has not heard so': { event: [ENDED, 'committed'] },
}

test.describe.configure({ timeout: 300_000 })

test('the console is killed at every step of a change, and its author asks for it again', async ({
  programs,
  sandbox,
}) => {
  const { postgres } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  const store = await startStoreLine(postgres.url)
  const world = await startFaultWorld(programs, sandbox, { environment: { DATABASE_URL: store.url } })
  const names = [...Object.keys(steps), 'prepared', 'told']
  const changes = await world.prepare(names.length * RUNS)
  let missed = 0
  for (const [at, change] of changes.entries()) {
    const name = names[at % names.length] ?? ''
    const { event, wire } = steps[name] ?? {}
    if (wire !== undefined) world.line.harm(CONFIRM, [wire])
    const held = event === undefined ? world.line.held() : store.hold(...event)
    const confirmed = name === 'prepared' ? null : world.confirm(change)
    const met = name in steps ? held : confirmed
    if (await Promise.race([met, wait(HELD_WITHIN_MS, true, { ref: false })])) missed += 1
    await world.program.stop('SIGKILL')
    await confirmed
    await store.mend()
    await world.program.start()
    await world.confirm(change)
  }
  await world.judge('the console is killed at every step of a change', changes, {
    'kills that did not meet their step': missed + world.line.waiting(),
  })
  await world.stop()
  await store.stop()
})
