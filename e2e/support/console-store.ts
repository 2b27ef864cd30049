import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Programs } from './programs.ts'

const CHANGE = `
import { PGlite } from '@electric-sql/pglite'
const store = await PGlite.create(process.argv[1])
const { rows } = await store.query(process.argv[2], JSON.parse(process.argv[3]))
console.log(JSON.stringify(rows))
await store.close()
`

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Stops the console, runs one statement on its store, and starts it again. Answers the rows. */
export async function changeStore(programs: Programs, statement: string, values: readonly unknown[]): Promise<Rows> {
  await programs.console.stop()
  const folder = join(programs.folder, 'console', 'pgdata')
  const args = ['--input-type=module', '-e', CHANGE, folder, statement, JSON.stringify(values)]
  const rows = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
  await programs.console.start()
  return JSON.parse(rows) as Rows
}

/** As if nobody had used a key or a pointer for so long. */
export async function idleFor(programs: Programs, minutes: number): Promise<void> {
  const since = new Date(Date.now() - minutes * 60_000).toISOString()
  await changeStore(programs, 'UPDATE session SET last_active_at = $1', [since])
}
