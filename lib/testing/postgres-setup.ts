import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startTestPostgres } from '#lib/database/test-postgres.ts'

const LEFT_WITHIN_MS = 5_000

/** One server for all tests of a run; every worker makes databases of its own on it. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startTestPostgres()
  process.env.TEST_POSTGRES_URL = server.url
  return async () => {
    await everybodyLeft(server.url)
    await server.stop()
  }
}

/** The sandboxes of the workers end a moment after these, and complain of a server that is gone before them. */
async function everybodyLeft(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const others = `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  const until = Date.now() + LEFT_WITHIN_MS
  while (((await client.query(others)).rowCount ?? 0) > 0 && Date.now() < until) await wait(50)
  await client.end()
}
