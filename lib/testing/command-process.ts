import { setTimeout as wait } from 'node:timers/promises'
import { draftCommand } from '#lib/commands/draft.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { openSession } from '#lib/session/vault/vault.ts'
import { configureForTest } from './test-console.ts'

/** What a process is told to do, as JSON in its first argument. */
export interface Order {
  readonly environment: Readonly<Record<string, string>>
  readonly handle: string
  readonly kind: CommandKindName
  readonly params: unknown
  /** When the draft is executed, in milliseconds since 1970: several processes do it at once. At once where it is not said. */
  readonly executeAt?: number
}

/** A console process that makes one change and says how far it is: made to be killed on the way, or to race with others. */
async function run({ environment, handle, kind: name, params, executeAt = 0 }: Order): Promise<void> {
  configureForTest(environment)
  const session = await openSession(handle)
  const kind = kindNamed(name)
  if (session === null || kind === undefined) throw new Error('there is no session or no such kind')
  process.stdout.write('ready\n')
  const drafted = await draftCommand(session, kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  process.stdout.write('drafted\n')
  await wait(Math.max(0, executeAt - Date.now()))
  const reply = await executeCommand(session, drafted.draft.id, { code: null, proof: null }, () => {})
  process.stdout.write(`told ${JSON.stringify(reply)}\n`)
}

await run(JSON.parse(process.argv[2] ?? '') as Order)
process.exit(0)
