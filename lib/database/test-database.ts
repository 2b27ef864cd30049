import { newTestDatabase } from './test-postgres.ts'

/** An empty database of the engine that these tests run on: `vitest.config.ts` sets it for each of its projects. */
export async function testDatabaseUrl(): Promise<string> {
  return process.env.TEST_ENGINE === 'postgres' ? await testPostgresDatabaseUrl() : 'memory:'
}

/** An empty database on PostgreSQL, whatever engine these tests run on. */
export async function testPostgresDatabaseUrl(): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  if (server === undefined) throw new Error('the server for these tests was not started')
  return await newTestDatabase(server)
}
