import { sql } from 'kysely'
import { expect } from 'vitest'
import { open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { plansOf } from '#lib/testing/plans-of.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { confirmForTest, csvOf, importedAndRead, importForTest, MAPPING, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { eraseKeptFiles, findKeptFile, readKeptFile } from './kept-file.ts'
import { findStatement } from './statement-table.ts'

const ADMIN = '00000000-0000-4000-8000-000000000003'

const test = serviceTest.extend(
  'again',
  ({ operator }) =>
    (bytes: Uint8Array, replaces: string, mapping: typeof MAPPING | null, seal: string | null = null) => {
      return importStatement(operator, { name: 'July.csv', bytes, mapping, seal, reason: '', replaces }, readPackedFile)
    },
)

const TOO_LATE =
  'The columns can no longer be mapped again: the file is no longer kept, or a confirmation was started from a line.'

const files = async () => (await (await store()).selectFrom('statement_file').select('statement_id').execute()).length

test('columns are mapped again from the kept file', async ({ operator, again }) => {
  const bytes = csvOf([{ reference: 'A', text: 'B' }])
  const first = await importForTest(operator, bytes)
  const kept = await readKeptFile(operator, first)
  expect(Buffer.from(kept ?? []).equals(Buffer.from(bytes))).toBe(true)
  expect(await again(bytes, first, null)).toMatchObject({ kind: 'columns', draft: { reference: 0 }, why: null })
  const mapping = { ...MAPPING, reference: 3, text: 0 }
  const read = await again(bytes, first, mapping)
  if (read.kind !== 'preview') throw new Error(read.kind)
  expect(read.preview.summary.remarks[0]?.what).toMatch(/^This replaces the statement/)
  const imported = await again(bytes, first, mapping, read.preview.seal)
  if (imported.kind !== 'imported') throw new Error(imported.kind)
  expect((await pageOf(imported.id)).lines).toMatchObject([{ sought: 'B', text: 'A', status: 'unread' }])
  expect(await findStatement(await store(), first)).toBeUndefined()
  expect(await files()).toBe(1)
})

test('nobody else gets the file', async ({ service, operator }) => {
  const id = await importForTest(operator, csvOf([{}]))
  const admin = await signedIn(service, 'admin@example.com', ADMIN)
  expect([await findKeptFile(admin, id), await readKeptFile(admin, id)]).toEqual([null, null])
})

test('after a confirmation the statement stays and its file goes', async ({ service, operator, again }) => {
  const bytes = csvOf([{ reference: await service.announceDeposit('10') }, {}])
  const id = await importedAndRead(operator, bytes)
  const read = await again(bytes, id, MAPPING)
  if (read.kind !== 'preview') throw new Error(read.kind)
  await confirmForTest(operator, id)
  expect(await findKeptFile(operator, id)).toBeNull()
  expect(await again(bytes, id, MAPPING, read.preview.seal)).toMatchObject({
    kind: 'broken',
    faults: [{ what: TOO_LATE }],
  })
  expect(await files()).toBe(1)
  await eraseKeptFiles()
  expect(await files()).toBe(0)
})

test('says that an erased file is no longer kept', async ({ operator, again }) => {
  const bytes = csvOf([{}])
  const id = await importForTest(operator, bytes)
  const read = await again(bytes, id, MAPPING)
  if (read.kind !== 'preview') throw new Error(read.kind)
  await (await store()).deleteFrom('statement_file').execute()
  expect(await again(bytes, id, MAPPING, read.preview.seal)).toMatchObject({ faults: [{ what: TOO_LATE }] })
})

test('a file is kept for two weeks', async ({ operator }) => {
  const id = await importForTest(operator, csvOf([{}]))
  const age = async (days: number) => {
    const taken_at = new Date(Date.now() - days * 24 * 60 * 60_000).toISOString()
    await (await store()).updateTable('statement').set({ taken_at }).where('id', '=', id).execute()
    await eraseKeptFiles()
    return await files()
  }
  expect([await age(13), await age(15)]).toEqual([1, 0])
})

test('reads only the lines of statements that have a file', async () => {
  const { db, close } = await open<Tables>(await testDatabaseUrl())
  await migrate(db)
  await sql`
    INSERT INTO statement (id, owner, owner_name, file_name, digest, format, taken_at, left_out)
    SELECT 's' || n, 'sso:1', 'x', 'x', 'd' || n, 'x', ${new Date().toISOString()}, 0
    FROM generate_series(0, 399) AS n`.execute(db)
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, boot_id)
    SELECT 'c' || n, 'deposit.confirm', 'done', 'sso:1', 'x', '{}', '{}', 'T' || n, '', 'b'
    FROM generate_series(1, 20000) AS n`.execute(db)
  await sql`
    INSERT INTO statement_line (statement_id, number, place, reference, amount, currency, bank_reference, booked_on, text,
      fingerprint, sought, sought_from, bank_used, verdict, command_id)
    SELECT 's' || n % 400, n, n, 'r', '1', 'BZD', '', '', '', 'f' || n, 'r', 'field', '', 'ready', 'c' || n
    FROM generate_series(1, 20000) AS n`.execute(db)
  await sql`INSERT INTO statement_file SELECT 's' || n, '' FROM generate_series(0, 9) AS n`.execute(db)
  await sql`ANALYZE`.execute(db)
  const plan = await plansOf(db, eraseKeptFiles)
  expect(plan).toMatch(/statement_line_pkey\b/)
  expect(plan.match(/Seq Scan on \w+/g)).toEqual(['Seq Scan on statement_file'])
  await close()
})
