import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from '#lib/database/open.ts'
import { newTestDatabase, startTestPostgres } from '#lib/database/test-postgres.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { buildIfStale } from '../scripts/build.ts'
import { type Figures, printAims } from './aims.ts'
import { Client } from './client.ts'
import { startConsole } from './console-process.ts'
import { measureInBrowser } from './live-browser.ts'
import { measureStreams } from './live-streams.ts'
import { TimingProxy } from './timing-proxy.ts'

const SECONDS = 300

/**
 * `npm run bench -- live [browser|streams] [SECONDS]`: live cases in a browser, and a thousand idle tabs for five minutes or as
 * many seconds, beside their aims. Asserts nothing; prints what one run gave.
 */
async function bench(words: readonly string[]): Promise<void> {
  await buildIfStale()
  const browser = words.includes('streams') ? {} : await inBrowser()
  const streams = words.includes('browser')
    ? {}
    : await asStreams(Number(words.find((word) => /^\d+$/.test(word)) ?? SECONDS))
  printAims('live', { ...browser, ...streams }, null)
}

async function inBrowser(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:' })
  const client = new Client(sandbox.url)
  const console = await startConsole(sandbox.url, `file:${folder}`)
  try {
    return await measureInBrowser(client, console, sandbox.url)
  } finally {
    await console.end()
    client.close()
    await sandbox.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** On PostgreSQL, since changes come from another process. */
async function asStreams(seconds: number): Promise<Figures> {
  const server = await startTestPostgres()
  const store = await newTestDatabase(server.url)
  const sandbox = await startProcess({ SANDBOX_SEED: 'large', SANDBOX_DATABASE_URL: 'memory:' })
  const proxy = await TimingProxy.start(sandbox.url)
  const client = new Client(sandbox.url)
  const console = await startConsole(proxy.url, store, { also: { CORE_WS_URL: sandbox.url } })
  configureForTest({ DATABASE_URL: store })
  const { db, close } = await open<Tables>(store)
  try {
    return await measureStreams({ client, console, proxy, db, seconds })
  } finally {
    await close()
    await console.end()
    client.close()
    proxy.stop()
    await sandbox.end('SIGTERM')
    await server.stop()
  }
}

await bench(process.argv.slice(2))
