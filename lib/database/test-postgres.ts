import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export interface TestPostgres {
  readonly url: string
  restart(): Promise<void>
  stop(): Promise<void>
}

const READY_WITHIN_MS = 20_000

export async function startTestPostgres(): Promise<TestPostgres> {
  const bin = postgresFolder() ?? installPostgres()
  const owner = ownerOf()
  const folder = mkdtempSync(join(tmpdir(), 'console-postgres-'))
  if (owner !== null) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const as = { cwd: folder, ...(owner ?? {}) }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'console', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...as,
    stdio: 'ignore',
  })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'synchronous_commit=off', 'max_connections=200']
  const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const url = `postgres://console@127.0.0.1:${port}/postgres`
  const start = () => startServer(join(bin, 'postgres'), args, as, url)
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

export async function startServer(
  program: string,
  args: readonly string[],
  as: SpawnOptions,
  url: string,
): Promise<() => Promise<void>> {
  const server = spawn(program, args, { ...as, stdio: 'ignore' })
  const ended = new Promise((done) => server.once('exit', done))
  await ready(url)
  return async () => {
    server.kill('SIGINT')
    await ended
  }
}

export async function newTestDatabase(serverUrl: string, options = ''): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const name = `test_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`
  await client.query(`CREATE DATABASE ${name} ${options}`)
  await client.end()
  return serverUrl.replace(/\/postgres$/, `/${name}`)
}

function postgresFolder(): string | null {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
  const folders = [...debian, '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

function installPostgres(): string {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('These tests need PostgreSQL 15 or newer: install it, so that initdb and postgres are found.')
  }
  const quiet = { stdio: 'ignore' } as const
  execFileSync('apt-get', ['update', '-qq'], quiet)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], quiet)
  const folder = postgresFolder()
  if (folder === null) throw new Error('PostgreSQL was installed but is not found.')
  return folder
}

/** PostgreSQL refuses to run as root. */
export function ownerOf(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim())
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('There is no user for PostgreSQL to run as.')
}

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    const failed = await client.connect().then(
      () => null,
      (error: Error) => error,
    )
    await client.end().catch(() => {})
    if (failed === null) return
    if (Date.now() > deadline) throw new Error('PostgreSQL did not start.', { cause: failed })
    await wait(100)
  }
}

/** Below the ephemeral ports and above the browser tests' ports (`e2e/support/ports.ts`). */
const PORTS = [26_000, 32_000] as const

export function freePort(): Promise<number> {
  const port = randomInt(...PORTS)
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)))
  })
}
