import { open } from '#lib/database/open.ts'
import { newTestDatabase } from '#lib/database/test-postgres.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { type Figures, printAims } from './aims.ts'
import { measureInBrowser } from './live-browser.ts'
import { measureStreams } from './live-streams.ts'
import { Programs } from './programs.ts'

const SECONDS = 300

/** `npm run bench -- live [browser|streams] [SECONDS]`: cases in a browser, and a thousand idle tabs, beside their aims. */
async function bench(words: readonly string[]): Promise<void> {
  const browser = words.includes('streams') ? {} : await inBrowser()
  const streams = words.includes('browser')
    ? {}
    : await asStreams(Number(words.find((word) => /^\d+$/.test(word)) ?? SECONDS))
  printAims('live', { ...browser, ...streams }, null)
}

async function inBrowser(): Promise<Figures> {
  await using programs = new Programs()
  const sandbox = await programs.startSandbox()
  return await measureInBrowser(programs.newClient(sandbox), await programs.startConsole(sandbox), sandbox)
}

/** On PostgreSQL, since changes come from another process. */
async function asStreams(seconds: number): Promise<Figures> {
  await using programs = new Programs()
  const store = await newTestDatabase(await programs.startPostgres())
  const sandbox = await programs.startSandbox('large')
  const proxy = await programs.startProxy(sandbox)
  const client = programs.newClient(sandbox)
  const console = await programs.startConsole(proxy.url, { store, also: { CORE_WS_URL: sandbox } })
  configureForTest({ DATABASE_URL: store })
  const { db } = programs.adopt(await open<Tables>(store), ({ close }) => close())
  return await measureStreams({ client, console, proxy, db, seconds })
}

await bench(process.argv.slice(2))
