import { newTestDatabase } from './test-postgres.ts'

export const onPostgres = (): boolean => process.env.TEST_ENGINE === 'postgres'

export async function testDatabaseUrl(): Promise<string> {
  return onPostgres() ? await postgresDatabaseUrl() : 'memory:'
}

export async function postgresDatabaseUrl(): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  if (server === undefined) throw new Error('the server for these tests was not started')
  return await newTestDatabase(server)
}
