import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { ASCII_DATABASE, postgresDatabaseUrl, testDatabaseUrl } from '#lib/database/test-database.ts'
import { appliedMigrations, ForeignStore, migrate, migrationNames } from './store.ts'
import type { Tables } from './tables.ts'

let opened: Opened<Tables>

beforeAll(async () => {
  opened = await open<Tables>(await testDatabaseUrl(), { poolSize: 1 })
})
afterAll(() => opened.close())

const tableNames = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(opened.db)
  return rows.map(({ name }) => name)
}

test('refuses a store of another build and changes nothing', async () => {
  const { db } = opened
  await sql`CREATE TABLE kysely_migration (name text PRIMARY KEY, timestamp text NOT NULL)`.execute(db)
  await sql`INSERT INTO kysely_migration VALUES ('0049-known-accounts', '')`.execute(db)
  await expect(migrate(db)).rejects.toThrow(ForeignStore)
  await expect(migrate(db)).rejects.toThrow(/0049-known-accounts.*empty store/)
  expect(await tableNames()).toEqual(['kysely_migration'])
  await sql`DROP TABLE kysely_migration`.execute(db)
})

test('refuses a database that is not in UTF-8', async () => {
  const { db, close } = await open<Tables>(await postgresDatabaseUrl(ASCII_DATABASE))
  await expect(migrate(db)).rejects.toThrow('SQL_ASCII')
  expect(await appliedMigrations(db)).toEqual([])
  await close()
})

test('names the SQLSTATE of a failed migration', async () => {
  const { db } = opened
  await sql`CREATE TABLE console_process (note text)`.execute(db)
  await expect(migrate(db)).rejects.toThrow('42P07')
  expect(await tableNames()).toEqual(['console_process'])
  await sql`DROP TABLE console_process`.execute(db)
})

test('migrates again after a deadlock', async () => {
  const { db, close } = await open<Tables>(await testDatabaseUrl(), { poolSize: 1 })
  await sql`CREATE SEQUENCE tries`.execute(db)
  await sql`CREATE FUNCTION deadlock_once() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('tries') = 20 THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF;
  END $$`.execute(db)
  await sql`CREATE EVENT TRIGGER deadlock ON ddl_command_start EXECUTE FUNCTION deadlock_once()`.execute(db)
  await migrate(db)
  expect(await appliedMigrations(db)).toEqual(migrationNames)
  await close()
})

test('makes a store once, and leaves it at the next start', async () => {
  await migrate(opened.db)
  const tables = await tableNames()
  expect(tables).toContain('command_event')
  await migrate(opened.db)
  expect(await tableNames()).toEqual(tables)
})
