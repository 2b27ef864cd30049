import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, ownerOf, ready } from './test-postgres.ts'

/** PgBouncer in transaction mode before a database of the tests' server. */
export interface TestPgBouncer {
  readonly url: string
  stop(): Promise<void>
}

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

export async function startPgBouncer(databaseUrl: string): Promise<TestPgBouncer> {
  const program = PROGRAM.find((path) => existsSync(path))
  if (program === undefined)
    throw new Error('This test needs PgBouncer: install it (Debian: apt-get install pgbouncer).')
  const { hostname, port: to, pathname, username } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'console-pgbouncer-'))
  const port = await freePort()
  const name = pathname.slice(1)
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
${name} = host=${hostname} port=${to} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 5
`,
  )
  // It refuses to run as root.
  const owner = ownerOf()
  if (owner !== null) chownSync(folder, owner.uid, owner.gid)
  const running = spawn(program, [settings], { cwd: folder, ...(owner ?? {}), stdio: 'ignore' })
  const ended = new Promise((done) => running.once('exit', done))
  const url = `postgres://${username}@127.0.0.1:${port}/${name}`
  await ready(url)
  return {
    url,
    async stop() {
      running.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
