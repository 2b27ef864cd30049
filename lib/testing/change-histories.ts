import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { ControlledTransaction, Kysely } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '#lib/store/tables.ts'
import { readChanges } from '#lib/stream/change-feed.ts'

/** A step of the writer's transactions, or a read by the reader. */
type Step =
  | { readonly what: 'begin' | 'write' | 'commit' | 'roll back'; readonly which: number }
  | { readonly what: 'read' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constantFrom(
          'begin' as const,
          'write' as const,
          'write' as const,
          'commit' as const,
          'roll back' as const,
        ),
        which: fc.integer({ min: 0, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('read' as const) }) },
  ),
  { minLength: 20, maxLength: 60 },
)

/** Checks that a reader sees every committed key, in whatever order the writer's transactions end. */
export const expectNothingMissed = (writer: Kysely<Tables>, reader: Kysely<Tables>, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps, (plan) => misses(writer, reader, plan)),
    { numRuns },
  )

async function misses(writer: Kysely<Tables>, reader: Kysely<Tables>, plan: readonly Step[]): Promise<void> {
  const under: (ControlledTransaction<Tables> | null)[] = [null, null, null, null]
  const written: string[][] = [[], [], [], []]
  const committed: string[] = []
  const seen = new Set<string>()
  // Keys of an earlier history appear again while a transaction of another database is open.
  const history = randomUUID()
  let { next } = await readChanges(reader, null)
  const read = async () => {
    const found = await readChanges(reader, next)
    for (const { key } of found.rows) if (key.startsWith(history)) seen.add(key)
    next = found.next
  }
  const end = async (which: number, how: 'commit' | 'rollback') => {
    await under[which]?.[how]().execute()
    if (how === 'commit') committed.push(...(written[which] ?? []))
    under[which] = null
    written[which] = []
  }
  for (const [at, step] of plan.entries()) {
    if (step.what === 'read') await read()
    else if (step.what === 'begin') under[step.which] ??= await writer.startTransaction().execute()
    else if (step.what !== 'write') await end(step.which, step.what === 'commit' ? 'commit' : 'rollback')
    else if (under[step.which]) {
      const key = `${history} ${at}`
      await under[step.which]?.insertInto('news').values({ key }).execute()
      written[step.which]?.push(key)
    }
  }
  for (const which of under.keys()) await end(which, 'commit')
  await read()
  expect([...committed].filter((key) => !seen.has(key))).toEqual([])
  expect([...seen].filter((key) => !committed.includes(key))).toEqual([])
}
