import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Programs } from './programs.ts'

const CHANGE = `
import { PGlite } from '@electric-sql/pglite'
const store = await PGlite.create(process.argv[1])
await store.query(process.argv[2], JSON.parse(process.argv[3]))
await store.close()
`

/** Stops the console, changes its store with one statement, and starts it again. */
export async function changeStore(programs: Programs, statement: string, values: readonly unknown[]): Promise<void> {
  await programs.console.stop()
  const folder = join(programs.folder, 'console', 'pgdata')
  const args = ['--input-type=module', '-e', CHANGE, folder, statement, JSON.stringify(values)]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await programs.console.start()
}

/** As if nobody had used a key or a pointer for so long. */
export function idleFor(programs: Programs, minutes: number): Promise<void> {
  const since = new Date(Date.now() - minutes * 60_000).toISOString()
  return changeStore(programs, 'UPDATE session SET last_active_at = $1', [since])
}
