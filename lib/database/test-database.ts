import { newTestDatabase } from './test-postgres.ts'

/** An empty database of the engine that these tests run on: `vitest.config.ts` sets it for each of its projects. */
export async function testDatabaseUrl(): Promise<string> {
  return process.env.TEST_ENGINE === 'postgres' ? await postgresDatabaseUrl() : 'memory:'
}

/** An empty database on the server of this run. */
export async function postgresDatabaseUrl(): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  if (server === undefined) throw new Error('the server for these tests was not started')
  return await newTestDatabase(server)
}
