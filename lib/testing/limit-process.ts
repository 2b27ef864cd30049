import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { startCommand } from '#lib/commands/execute.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { configureForTest } from './test-console.ts'
import { underPolicy } from './test-policy.ts'

/** What a process is told to do, as JSON in its first argument. */
export interface LimitOrder {
  readonly databaseUrl: string
  readonly rule: unknown
  /** How many each round drafts and then sends at once, and of which amount. */
  readonly atOnce: number
  readonly amount: string
}

/**
 * A console process that sends confirmations of one person at once, as far as their limit lets it: `draft ACTOR` and then `send`
 * on a line of its own each are a round. Made to race with others.
 */
async function run({ databaseUrl, rule, atOnce, amount }: LimitOrder): Promise<void> {
  configureForTest({ DATABASE_URL: databaseUrl })
  underPolicy(rule)
  const db = await store()
  const draft = async (actor: string): Promise<string> => {
    const id = randomUUID()
    const texts = { actorName: 'Mia', target: id, params: '{}', facts: JSON.stringify({ debit: amount }) }
    await insertDraft(db, { id, kind: 'deposit.confirm', actor, ...texts })
    return id
  }
  let drafts: readonly string[] = []
  process.stdout.write('ready\n')
  for await (const line of createInterface({ input: process.stdin })) {
    const [order, actor = ''] = line.split(' ')
    if (order === 'draft') {
      drafts = await Promise.all(Array.from({ length: atOnce }, () => draft(actor)))
      process.stdout.write('drafted\n')
    } else {
      const started = await Promise.all(drafts.map((id) => startCommand(db, id, [{ key: id, permanent: false }])))
      process.stdout.write(`sent ${started.filter(({ ok }) => ok).length}\n`)
    }
  }
}

await run(JSON.parse(process.argv[2] ?? '') as LimitOrder)
process.exit(0)
