import { newTestDatabase } from './test-postgres.ts'

/** An empty database of the engine that these tests run on: `vitest.config.ts` sets it for each of its projects. */
export async function testDatabaseUrl(): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  if (process.env.TEST_ENGINE !== 'postgres') return 'memory:'
  if (server === undefined) throw new Error('the server for these tests was not started')
  return await newTestDatabase(server)
}
