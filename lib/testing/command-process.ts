import { randomUUID } from 'node:crypto'
import { draftCommand } from '#lib/commands/draft.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { kindNamed } from '#lib/commands/kinds.ts'
import { openSession } from '#lib/session/vault.ts'
import { configureForTest } from './test-console.ts'

/** What a process is told to do, as JSON in its first argument. */
export interface Order {
  readonly environment: Readonly<Record<string, string>>
  readonly handle: string
  readonly reference: string
}

/** A console process that confirms one deposit and says how far it is: made to be killed on the way. */
async function run({ environment, handle, reference }: Order): Promise<void> {
  configureForTest(environment)
  const session = await openSession(handle)
  const kind = kindNamed('deposit.confirm')
  if (session === null || kind === undefined) throw new Error('there is no session or no such kind')
  process.stdout.write('ready\n')
  const params = { referenceId: reference, bankReference: randomUUID(), statementAmount: '10' }
  const drafted = await draftCommand(session, kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  process.stdout.write('drafted\n')
  await executeCommand(session, drafted.draft.id, { code: null, proof: null }, () => {})
  process.stdout.write('told\n')
}

await run(JSON.parse(process.argv[2] ?? '') as Order)
process.exit(0)
