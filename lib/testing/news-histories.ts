import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { ControlledTransaction, Kysely } from 'kysely'
import { expect } from 'vitest'
import { readNews } from '#lib/news/news-table.ts'
import type { Tables } from '#lib/store/tables.ts'

/** What one process does to a transaction of its own, or what another one does: it reads. */
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

/** In whatever order transactions of one process end, another one misses nothing that was committed. */
export const nothingIsMissed = (writer: Kysely<Tables>, reader: Kysely<Tables>, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(steps, (plan) => misses(writer, reader, plan)),
    { numRuns },
  )

async function misses(writer: Kysely<Tables>, reader: Kysely<Tables>, plan: readonly Step[]): Promise<void> {
  const under: (ControlledTransaction<Tables> | null)[] = [null, null, null, null]
  const written: string[][] = [[], [], [], []]
  const committed: string[] = []
  const heard = new Set<string>()
  // While a transaction of another database of the server is under way, news of an earlier history come again.
  const history = randomUUID()
  let { next } = await readNews(reader, null)
  const read = async () => {
    const found = await readNews(reader, next)
    for (const { key } of found.rows) if (key.startsWith(history)) heard.add(key)
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
  expect([...committed].filter((key) => !heard.has(key))).toEqual([])
  expect([...heard].filter((key) => !committed.includes(key))).toEqual([])
}
