import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const WARM_UP_MS = 1_000

/** What a worker is told, as JSON in its first argument. */
export interface JournalOrder {
  /** The checkout whose code is measured. */
  readonly folder: string
  readonly store: string
  readonly operators: number
  readonly forMs: number
}

/** Each operator makes one change after the other. Prints their number, and the median time of one in milliseconds. */
async function run({ folder, store: url, operators, forMs }: JournalOrder): Promise<void> {
  const from = (file: string) => import(join(folder, file))
  const { configureForTest }: typeof import('#lib/testing/test-console.ts') = await from('lib/testing/test-console.ts')
  const { store }: typeof import('#lib/store/store.ts') = await from('lib/store/store.ts')
  const table: typeof import('#lib/commands/store.ts') = await from('lib/commands/store.ts')
  const { startCommand }: typeof import('#lib/commands/execute.ts') = await from('lib/commands/execute.ts')
  configureForTest({ DATABASE_URL: url })
  const db = await store()
  // A checkout from before the signed log has none.
  const sequencer: typeof import('#lib/journal/sequencer.ts') | null = await from('lib/journal/sequencer.ts').catch(
    () => null,
  )
  sequencer?.startSequencer()
  process.stdout.write('ready\n')
  await new Promise((go) => process.stdin.once('data', go))
  const taken: number[] = []
  const began = performance.now()
  const until = began + WARM_UP_MS + forMs
  const operator = async (_: unknown, at: number): Promise<void> => {
    while (performance.now() < until) {
      const start = performance.now()
      const id = randomUUID()
      const who = { actor: `sso:${process.pid}-${at}`, actorName: 'Operator' }
      const about = { target: `DEP~${id}`, params: '{"bankReference":"B-1"}', facts: '{"state":"QUEUED"}' }
      await table.insertDraft(db, { id, kind: 'deposit.confirm', ...who, ...about })
      const started = await startCommand(db, id, [{ key: `deposit:${id}`, permanent: false }])
      if (!started.ok) throw new Error('a lock of its own is held by another')
      await table.moveCommand(db, id, { from: ['sent'], to: 'done', outcome: '{"class":"done"}' })
      const now = performance.now()
      if (start > began + WARM_UP_MS && now < until) taken.push(now - start)
    }
  }
  await Promise.all(Array.from({ length: operators }, operator))
  taken.sort((a, b) => a - b)
  process.stdout.write(`${JSON.stringify({ done: taken.length, median: taken[taken.length >> 1] ?? 0 })}\n`)
  await wait(50)
  process.exit(0)
}

await run(JSON.parse(process.argv[2] ?? '') as JournalOrder)
