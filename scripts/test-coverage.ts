import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Session as Inspector, type Profiler } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { setup } from '#lib/testing/postgres-setup.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'

const FOUNDATIONS = ['contract', 'values', 'http', 'config', 'database', 'store']
const OPERATOR = '00000000-0000-4000-8000-000000000001'
const NEWCOMER = '00000000-0000-4000-8000-000000000005'

interface Change {
  readonly name: string
  readonly kind: CommandKindName
  readonly session: Session
  /** Of a new subject. */
  params(): Promise<object>
}

/** The arbitrator has no two-factor security, and passes at the service without a code. */
async function measuredChanges(service: TestService): Promise<readonly Change[]> {
  const operator = await signedIn(service, 'operator@example.com', OPERATOR)
  const arbitrator = await signedIn(service, 'newcomer@example.com', NEWCOMER)
  return [
    {
      name: 'deposit confirmation',
      kind: 'deposit.confirm',
      session: operator,
      params: async () => ({
        referenceId: await service.announceDeposit('10'),
        bankReference: `ATL ${randomUUID()}`,
        statementAmount: '10',
      }),
    },
    {
      name: 'case decision',
      kind: 'dispute.resolve',
      session: arbitrator,
      async params() {
        const { id: caseId, referenceId } = await raiseCase(service)
        const thread = await readWholeThread(arbitrator, caseId)
        const latestMessageId = thread.ok ? (thread.value.messages.at(-1)?.id ?? '') : ''
        const decision = { decision: 'refund', reason: 'The parcel never left the depot.', latestMessageId }
        return { caseId, referenceId, ...decision }
      },
    },
    {
      name: 'message',
      kind: 'dispute.message',
      session: arbitrator,
      params: async () => ({ caseId: (await raiseCase(service)).id, body: 'Any news?' }),
    },
  ]
}

/** A function that begins with its file is the module itself, which runs when it is imported. */
const hasRun = ({ functions }: Profiler.ScriptCoverage): boolean =>
  functions.some(({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0)

/** The files of `lib` of which a function ran since the last call. */
async function takeFiles(inspector: Inspector): Promise<readonly string[]> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  return result
    .filter((script) => script.url.startsWith('file:') && hasRun(script))
    .map(({ url }) => relative('.', fileURLToPath(url)).replaceAll('\\', '/'))
    .filter((file) => file.startsWith('lib/') && !file.startsWith('lib/testing/'))
    .sort()
}

interface Coverage {
  readonly all: readonly string[]
  /** Without those that only its draft takes. */
  readonly confirmation: readonly string[]
}

async function run({ name, kind, session, params }: Change, inspector: Inspector): Promise<Coverage> {
  const given = await params()
  await takeFiles(inspector)
  const id = await draftForTest(session, kind, given)
  const drafted = await takeFiles(inspector)
  const { command } = await executeForTest(session, id)
  const confirmation = await takeFiles(inspector)
  if (command.outcome.class !== 'done') throw new Error(`${name}: ${JSON.stringify(command.outcome)}`)
  return { all: [...new Set([...drafted, ...confirmation])].sort(), confirmation }
}

const isOther = (file: string): boolean => !FOUNDATIONS.includes(file.split('/')[1] ?? '')

async function measure(): Promise<void> {
  const service = await freshWorld({ REQUIRE_ENROLMENT: 'off' })
  const inspector = new Inspector()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  process.stdout.write(`Files of lib of which a function ran (loading a module does not count); "others" are those without
${FOUNDATIONS.join(', ')}. The confirmation is the change without its draft.\n\n`)
  for (const change of await measuredChanges(service)) {
    // The first of a kind also reads what later ones find in memory, such as the scopes of its person.
    await run(change, inspector)
    const { all, confirmation } = await run(change, inspector)
    const figures = [all, confirmation].map((files) => `${files.length} files (${files.filter(isOther).length} others)`)
    process.stdout.write(`${change.name.padEnd(22)}from draft to outcome ${figures.join(', confirmation ')}\n`)
    if (!process.argv.includes('--files')) continue
    for (const file of all) process.stdout.write(`  ${file}${confirmation.includes(file) ? '' : '  (draft alone)'}\n`)
  }
}

/** The service ends with the process that measures, and PostgreSQL after both. */
async function main(): Promise<void> {
  if (process.env.TEST_POSTGRES_URL !== undefined) return await measure()
  const stop = await setup()
  const args = ['--conditions=react-server', ...process.argv.slice(1)]
  const env = { ...process.env, TEST_ENGINE: 'postgres' }
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1
  await stop()
}

/** `npm run coverage:changes [-- --files]`: how many files of `lib` a change runs through. */
await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
// Connections would keep the process.
process.exit()
