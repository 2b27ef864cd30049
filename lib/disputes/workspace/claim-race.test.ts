import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import type { CommandReply } from '#lib/commands/command.ts'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Order } from '#lib/testing/command-process.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { caseTest as test } from '#lib/testing/test-worlds.ts'
import { claimOf } from './workspace-tables.ts'

const PROCESSES = 4

interface DraftedProcess {
  execute(): Promise<CommandReply>
}

/** Starts a console process; resolves when it has stored its draft. */
async function startDrafted(order: Order): Promise<DraftedProcess> {
  const args = ['--conditions=react-server', 'lib/testing/command-process.ts', JSON.stringify(order)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const lineStarting = async (start: string): Promise<string> => {
    for (let line = await lines.next(); !line.done; line = await lines.next())
      if (line.value.startsWith(start)) return line.value
    throw new Error(`the process ended before it wrote ${start}`)
  }
  await lineStarting('drafted')
  return {
    async execute() {
      child.stdin.write('execute\n')
      return JSON.parse((await lineStarting('told ')).slice('told '.length)) as CommandReply
    },
  }
}

test(`of ${PROCESSES} processes that assign one case, one does`, { timeout: 180_000 }, async ({ service, dispute }) => {
  const { id: caseId } = dispute
  const handles = [
    await handleOf(service, 'arbitrator@example.com', '00000000-0000-4000-8000-000000000002'),
    await handleOf(service, 'admin@example.com', '00000000-0000-4000-8000-000000000003'),
  ]
  const environment = { ...testEnvironment, CORE_API_URL: service.url, DATABASE_URL: config().databaseUrl }
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) =>
      startDrafted({ environment, handle: handles[n % 2] ?? '', kind: 'case.assign', params: { caseId } }),
    ),
  )
  const replies = await Promise.all(processes.map((process) => process.execute()))
  const commands = replies.flatMap((reply) => (reply.ok ? [reply.command] : []))
  const won = commands.filter(({ outcome }) => outcome.class === 'done')
  expect(commands.map(({ outcome }) => outcome.class).sort()).toEqual(['done', 'refused', 'refused', 'refused'])
  expect((await claimOf(await store(), caseId))?.holderName).toBe(won[0]?.actorName)
})
