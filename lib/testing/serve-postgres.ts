import { newTestDatabase, startTestPostgres } from '#lib/database/test-postgres.ts'

/** A PostgreSQL server for tests that start programs: prints the addresses of two empty databases, stops when its input ends. */
const server = await startTestPostgres()
process.stdout.write(`${await newTestDatabase(server.url)} ${await newTestDatabase(server.url)}\n`)
process.stdin.once('end', () => {
  server.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
process.stdin.resume()
