import { newTestDatabase } from './test-postgres.ts'

export const onPostgres = (): boolean => process.env.TEST_ENGINE === 'postgres'

export async function testDatabaseUrl(): Promise<string> {
  return onPostgres() ? await postgresDatabaseUrl() : 'memory:'
}

/** `options`: of CREATE DATABASE. */
export async function postgresDatabaseUrl(options = ''): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  if (server === undefined) throw new Error('the server for these tests was not started')
  return await newTestDatabase(server, options)
}

export const ASCII_DATABASE = "ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
