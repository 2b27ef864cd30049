import { createInterface } from 'node:readline'
import { startPgBouncer, type TestPgBouncer } from '#lib/database/test-pgbouncer.ts'
import { newTestDatabase, startTestPostgres } from '#lib/database/test-postgres.ts'

/** As docs/operations.md has it. */
const POOL_SIZE = 20

/**
 * A PostgreSQL server for tests that start programs: prints the addresses of two empty databases, stops when its input ends.
 * Each line that it reads is an order, and answered by one: `pgbouncer` by the first database's address through PgBouncer.
 */
const server = await startTestPostgres()
const url = await newTestDatabase(server.url)
let pool = null as TestPgBouncer | null

async function obey(order: string): Promise<string> {
  if (order === 'pgbouncer') pool ??= await startPgBouncer(url, POOL_SIZE)
  else if (order === 'restart pgbouncer') await pool?.restart()
  else if (order === 'restart postgres') await server.restart()
  else throw new Error(`there is no order ${order}`)
  return pool?.url ?? 'done'
}

process.stdout.write(`${url} ${await newTestDatabase(server.url)}\n`)
for await (const order of createInterface({ input: process.stdin })) process.stdout.write(`${await obey(order)}\n`)
await pool?.stop()
await server.stop()
