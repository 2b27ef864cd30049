import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { ASCII_DATABASE, postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { logEvents, sequenceEvents } from '#lib/journal/sequencer.ts'
import { inTransaction, migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { lookAtStore } from './store.ts'

test('calls no database empty that has tables of others', async () => {
  const url = await postgresDatabaseUrl()
  const { db, close } = await open<Tables>(url)
  const noted = async () =>
    (await lookAtStore({ ...configureForTest(), databaseUrl: url, policy: { rules: [] } })).at(-1)?.what
  expect(await noted()).toMatch(/^The store is empty/)
  await sql`CREATE TABLE payroll (id bigint)`.execute(db)
  expect(await noted()).toMatch(/^The database has other tables \(1\)/)
  await close()
})

test('names an AUDIT_KEY or LOG_KEY that is not that of the log', async () => {
  const right = configureForTest({ DATABASE_URL: await postgresDatabaseUrl() })
  const { db, close } = await open<Tables>(right.databaseUrl)
  await migrate(db)
  const event = { at: new Date().toISOString(), state: 'console.start', actor: 'console', body: {} }
  await inTransaction(db, (trx) => logEvents(trx, [event]))
  await sequenceEvents(db)
  const faultsWith = async (change: object) =>
    (await lookAtStore({ ...right, ...change })).flatMap(({ fault }) => fault ?? [])
  expect(await faultsWith({})).toEqual([])
  expect(await faultsWith({ auditKey: Buffer.alloc(32, 9) })).toEqual(['audit-key'])
  const { logKeys } = configureForTest({ LOG_KEY: Buffer.alloc(32, 9).toString('base64') })
  expect(await faultsWith({ logKeys })).toEqual(['log-key'])
  expect(await faultsWith({ logKeys: [...logKeys, ...right.logKeys] })).toEqual([])
  await close()
})

test('finds a database that is not in UTF-8', async () => {
  const databaseUrl = await postgresDatabaseUrl(ASCII_DATABASE)
  const findings = await lookAtStore({ ...configureForTest(), databaseUrl })
  expect(findings).toMatchObject([
    { level: 'wrong', fault: 'store-encoding', what: expect.stringContaining('SQL_ASCII') },
  ])
})
