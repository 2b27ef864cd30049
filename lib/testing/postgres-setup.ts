import { startTestPostgres } from '#lib/database/test-postgres.ts'

/** One server for all tests of a run; every worker makes databases of its own on it. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startTestPostgres()
  process.env.TEST_POSTGRES_URL = server.url
  return () => server.stop()
}
