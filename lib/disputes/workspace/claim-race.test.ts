import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { CommandReply } from '#lib/commands/command.ts'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Order } from '#lib/testing/command-process.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { freshWorld } from '#lib/testing/test-service.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { claimOf } from './claim-table.ts'

const run = promisify(execFile)
const PROCESSES = 4
/** So long a process takes to start and to draft at the most. */
const START_MS = 12_000

/** Runs a console process to its end; answers what it was told. */
async function runProcess(order: Order): Promise<CommandReply> {
  const args = ['--conditions=react-server', 'lib/testing/command-process.ts', JSON.stringify(order)]
  const { stdout } = await run(process.execPath, args)
  const line = stdout.split('\n').find((said) => said.startsWith('told '))
  return JSON.parse(line?.slice('told '.length) ?? '') as CommandReply
}

test(`of ${PROCESSES} console processes that assign one case at once, one does`, { timeout: 90_000 }, async () => {
  const service = await freshWorld()
  const { id: caseId } = await raiseCase(service)
  const handles = [
    await handleOf(service, 'arbitrator@example.com', '00000000-0000-4000-8000-000000000002'),
    await handleOf(service, 'admin@example.com', '00000000-0000-4000-8000-000000000003'),
  ]
  const environment = { ...testEnvironment, CORE_API_URL: service.url, DATABASE_URL: config().databaseUrl }
  const executeAt = Date.now() + START_MS
  const replies = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) =>
      runProcess({ environment, handle: handles[n % 2] ?? '', kind: 'case.assign', params: { caseId }, executeAt }),
    ),
  )
  const commands = replies.flatMap((reply) => (reply.ok ? [reply.command] : []))
  const won = commands.filter(({ outcome }) => outcome.class === 'done')
  expect(commands.map(({ outcome }) => outcome.class).sort()).toEqual(['done', 'refused', 'refused', 'refused'])
  expect((await claimOf(await store(), caseId))?.holderName).toBe(won[0]?.actorName)
})
