import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, ownerOf, startServer } from './test-postgres.ts'

export interface TestPgBouncer {
  readonly url: string
  restart(): Promise<void>
  stop(): Promise<void>
}

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

export async function startPgBouncer(databaseUrl: string, poolSize = 5): Promise<TestPgBouncer> {
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
default_pool_size = ${poolSize}
server_login_retry = 1
`,
  )
  // PgBouncer refuses to run as root.
  const owner = ownerOf()
  if (owner !== null) chownSync(folder, owner.uid, owner.gid)
  const url = `postgres://${username}@127.0.0.1:${port}/${name}`
  const start = () => startServer(program, [settings], { cwd: folder, ...(owner ?? {}) }, url)
  let end = await start()
  return {
    url,
    async restart() {
      await end()
      end = await start()
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
