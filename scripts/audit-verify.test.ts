import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { signCheckpoint } from '#lib/journal/checkpoint.ts'
import { logEvents, logHead, sequenceEvents } from '#lib/journal/sequencer.ts'
import { inTransaction, migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest, testEnvironment } from '#lib/testing/test-console.ts'

const program = ['--conditions=react-server', join(import.meta.dirname, 'audit-verify.ts')]

const run = (url: string, ...options: string[]): Promise<Readonly<Record<'stdout' | 'stderr', string>>> => {
  const env = { ...testEnvironment, DATABASE_URL: url, NODE_ENV: 'test' as const }
  return promisify(execFile)(process.execPath, [...program, ...options], { env }).catch((error) => error)
}

test('calls no journal intact where no store is', async () => {
  const { stdout, stderr } = await run('file:/nowhere/mistyped')
  expect([stdout, stderr]).toEqual(['', 'The journal cannot be read: there is no store in /nowhere/mistyped\n'])
})

test('prints entries and root hash as the process log does', async () => {
  configureForTest()
  const url = await testDatabaseUrl()
  const { db, close } = await open<Tables>(url)
  await migrate(db)
  const event = { at: new Date().toISOString(), state: 'console.start', actor: 'console', body: {} }
  await inTransaction(db, (trx) => logEvents(trx, [event]))
  await sequenceEvents(db)
  const { size, root } = await logHead(db)
  await close()
  expect((await run(url)).stdout).toContain(
    `The journal is intact: 1 events. Of ${size} entries, the root hash is ${root}:`,
  )
})

test('prints nothing that could hide a fault on a terminal', async () => {
  configureForTest()
  const url = await testDatabaseUrl()
  const { db, close } = await open<Tables>(url)
  await migrate(db)
  await sequenceEvents(db)
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, boot_id)
    VALUES (${'\r\u001B[8m'}, 'deposit.confirm', 'done', 'sso:1', '', '{}', '{}', '', '', '')`.execute(db)
  await close()
  const { stdout } = await run(url)
  expect(stdout).toContain('is not in the state of its latest event')
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
})

test('continues with a number as Activity writes it', async () => {
  const { logOrigin: origin, logKeys } = configureForTest()
  const url = await testDatabaseUrl()
  const { db, close } = await open<Tables>(url)
  await migrate(db)
  const conflict = signCheckpoint({ origin, size: 1_234, root: '0'.repeat(64) }, logKeys)
  await db.updateTable('log_head').set({ conflict }).execute()
  await close()
  expect((await run(url, '--continue', 'ENTRIES')).stdout).toContain('done: ENTRIES is not a number of entries.\n')
  expect((await run(url, '--continue', '1,235')).stdout).toContain('done: the witness did not confirm 1,235.\n')
  expect((await run(url, '--continue', '1,234')).stdout).toContain('Continued: new events get places again.\n')
})
