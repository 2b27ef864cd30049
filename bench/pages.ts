import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { buildIfStale } from '../scripts/build.ts'
import { type Figures, printAims } from './aims.ts'
import { startConsole } from './console-process.ts'
import { measureBrowser } from './pages-browser.ts'
import { measureServer } from './pages-server.ts'
import { print } from './print.ts'
import { TimingProxy } from './timing-proxy.ts'

/**
 * `npm run bench -- pages [server|browser] [short] [FOLDER]`: what a page takes of the server and in a browser, beside its aims. With the
 * folder of another checkout, built there, that one is measured first. Asserts nothing.
 */
async function bench(words: readonly string[]): Promise<void> {
  await buildIfStale()
  const folder = words.find((word) => !['server', 'browser', 'short'].includes(word))
  const before = folder === undefined ? null : await measure(resolve(folder), words)
  printAims('pages', await measure(process.cwd(), words), before)
}

async function measure(folder: string, words: readonly string[]): Promise<Figures> {
  print(`\nthe build in ${folder === process.cwd() ? 'this folder' : 'the other folder'}`)
  const store = mkdtempSync(join(tmpdir(), 'bench-pages-'))
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:' })
  const proxy = await TimingProxy.start(sandbox.url)
  const console = await startConsole(proxy.url, `file:${store}`, { folder })
  try {
    const server = words.includes('browser') ? {} : await measureServer(console, proxy, words.includes('short'))
    const browser = words.includes('server') ? {} : await measureBrowser(console.url)
    return { ...server, ...browser }
  } finally {
    await console.end()
    proxy.stop()
    await sandbox.end('SIGTERM')
    rmSync(store, { recursive: true, force: true })
  }
}

await bench(process.argv.slice(2))
