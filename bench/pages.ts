import { resolve } from 'node:path'
import { type Figures, printAims } from './aims.ts'
import { measureBrowser } from './pages-browser.ts'
import { measureServer } from './pages-server.ts'
import { print } from './print.ts'
import { Programs } from './programs.ts'

/**
 * `npm run bench -- pages [server|browser] [short] [FOLDER]`: what a page takes of server and browser, beside its aims. FOLDER,
 * another built checkout, is measured first.
 */
async function bench(words: readonly string[]): Promise<void> {
  const folder = words.find((word) => !['server', 'browser', 'short'].includes(word))
  const before = folder === undefined ? null : await measure(resolve(folder), words)
  printAims('pages', await measure(process.cwd(), words), before)
}

async function measure(folder: string, words: readonly string[]): Promise<Figures> {
  print(`\nthe build in ${folder === process.cwd() ? 'this folder' : 'the other folder'}`)
  await using programs = new Programs()
  const proxy = await programs.startProxy(await programs.startSandbox())
  const console = await programs.startConsole(proxy.url, { folder })
  const server = words.includes('browser') ? {} : await measureServer(console, proxy, words.includes('short'))
  const browser = words.includes('server') ? {} : await measureBrowser(console.url)
  return { ...server, ...browser }
}

await bench(process.argv.slice(2))
