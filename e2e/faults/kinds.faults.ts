import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '../support/fixtures.ts'
import type { Harm } from './faulty-line.ts'
import { kinds, type MadeChange } from './kinds.ts'
import { type HeldAt, startStoreLine } from './store-line.ts'
import { startFaultWorld } from './world.ts'

/** A code may have to be waited for. */
const HELD_WITHIN_MS = 40_000
const BYTES_MAX = 600

const anywhere = (): number => randomInt(0, BYTES_MAX)

/** One of each for every kind. */
const harms: readonly (() => Harm)[] = [
  () => ({ to: 'request', afterBytes: anywhere() }),
  () => ({ to: 'answer', afterBytes: 0, how: 'reset' }),
  () => ({ to: 'answer', afterBytes: anywhere(), how: 'reset' }),
  () => ({ to: 'answer', afterBytes: anywhere(), how: 'end' }),
  () => ({ to: 'answer', afterBytes: anywhere(), how: 'garble' }),
  () => ({ to: 'answer', afterBytes: 0, how: 'endless' }),
]

type Kill = Harm | readonly [nth: number, at: HeldAt]

/** Where a change is held when the console is killed: at an event of the journal, at its request or at its answer. */
const killsOf = ({ path, events: [sent, ended] }: MadeChange): readonly Kill[] => [
  [sent, 'committed'],
  ...(path === null ? [] : ON_THE_WIRE),
  [ended, 'event'],
]
const ON_THE_WIRE: readonly Harm[] = [{ to: 'answer', afterBytes: 0, how: 'silence' }]

const isHarm = (kill: Kill): kill is Harm => 'to' in kill

test.describe.configure({ timeout: 300_000 })

for (const [kind, { email, make }] of Object.entries(kinds)) {
  test(`${kind}: answers are lost, and the console is killed`, async ({ programs, sandbox }) => {
    if (programs.postgres === null) throw new Error('these tests are about a store on PostgreSQL')
    const store = await startStoreLine(programs.postgres.url)
    const world = await startFaultWorld(programs, sandbox, { email, environment: { DATABASE_URL: store.url } })
    const where = { world, programs, sandbox }
    const changes: MadeChange[] = []
    const next = async (): Promise<MadeChange> => {
      const change = await make(where)
      changes.push(change)
      return change
    }
    const first = await next()
    await first.go()
    for (const harm of first.path === null ? [] : harms) {
      const change = await next()
      world.line.harm(change.path ?? '', [harm()])
      await change.go()
    }
    let missed = 0
    for (const kill of killsOf(first)) {
      const change = await next()
      const held = isHarm(kill) ? world.line.held() : store.hold(...kill)
      if (isHarm(kill)) world.line.harm(change.path ?? '', [kill])
      const went = change.go()
      if (await Promise.race([held, wait(HELD_WITHIN_MS, true, { ref: false })])) missed += 1
      await world.program.stop('SIGKILL')
      await went
      await store.mend()
      await world.program.start()
      await change.go()
    }
    await world.judge(`${kind}: lost answers and kills`, changes, {
      'kills that did not meet their step': missed + world.line.waiting(),
    })
    await world.stop()
    await store.stop()
  })
}
