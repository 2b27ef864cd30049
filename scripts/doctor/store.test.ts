import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import type { Tables } from '#lib/store/tables.ts'
import { lookAtStore } from './store.ts'

test('calls no database empty that has tables of others', async () => {
  const url = await postgresDatabaseUrl()
  const { db, close } = await open<Tables>(url)
  const noted = async () => (await lookAtStore(url, { rules: [] })).at(-1)?.what
  expect(await noted()).toMatch(/^The store is empty/)
  await sql`CREATE TABLE payroll (id bigint)`.execute(db)
  expect(await noted()).toMatch(/^The database has other tables \(1\)/)
  await close()
})
