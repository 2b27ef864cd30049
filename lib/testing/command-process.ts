import { once } from 'node:events'
import { executeCommand } from '#lib/commands/execute.ts'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { openSession } from '#lib/session/vault/vault.ts'
import { configureForTest } from './test-console.ts'

/** What a process is told to do, as JSON in its first argument. */
export interface Order {
  readonly environment: Readonly<Record<string, string>>
  readonly handle: string
  readonly kind: CommandKindName
  readonly params: unknown
}

/** The steps that a process reports, each on a line. After `drafted` it waits for any line on its standard input. */
export type ProcessStep = 'ready' | 'drafted' | 'told'

/** A console process that makes one change: to be killed on the way, or to race with others. */
async function run({ environment, handle, kind: name, params }: Order): Promise<void> {
  configureForTest(environment)
  const session = await openSession(handle)
  const kind = kindNamed(name)
  if (session === null || kind === undefined) throw new Error('there is no session or no such kind')
  process.stdout.write('ready\n')
  const drafted = await draftCommand(session, kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  process.stdout.write('drafted\n')
  await once(process.stdin, 'data')
  const reply = await executeCommand(session, drafted.draft.id, { code: null, proof: null }, () => {})
  process.stdout.write(`told ${JSON.stringify(reply)}\n`)
}

await run(JSON.parse(process.argv[2] ?? '') as Order)
process.exit(0)
