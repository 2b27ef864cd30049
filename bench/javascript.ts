import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { buildIfStale } from '../scripts/build.ts'
import { startConsole } from './console-process.ts'
import { atMost, handOver } from './hand-over.ts'
import { Operator } from './operator.ts'
import { print } from './print.ts'

/** Answers the address of a page; some are found on another page. */
type Find = (admin: Operator) => Promise<string>

const at =
  (path: string): Find =>
  () =>
    Promise.resolve(path)

const firstOn =
  (list: string, address: RegExp): Find =>
  async (admin) => {
    const found = address.exec(await admin.ask(list))?.[0]
    if (found === undefined) throw new Error(`${list} leads to no such page`)
    return found
  }

const pages: Readonly<Record<string, Find>> = {
  home: at('/'),
  deposits: at('/deposits'),
  statements: at('/deposits/statements'),
  transactions: at('/transactions'),
  'a look-up': at('/transactions/nothing'),
  'a user': at('/users/00000000-0000-4000-8000-000000000011'),
  cards: at('/cards'),
  'issuing a card': at('/cards/issue'),
  terminals: at('/terminals?merchant=merchant-001'),
  'a terminal': firstOn('/terminals?merchant=merchant-001', /\/terminals\/[\da-f-]{36}/),
  disputes: at('/disputes'),
  'a dispute case': firstOn('/disputes', /\/disputes\/[\da-f-]{36}/),
  security: at('/security'),
}

/**
 * `node bench/javascript.ts [FOLDER]`: the JavaScript that these pages name, compressed with gzip, in kB. With the folder of another
 * checkout, built there, its figures stand before this one's, with the ratio.
 */
async function bench(before: string | undefined): Promise<void> {
  await buildIfStale()
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:' })
  try {
    const now = await measure(sandbox.url, process.cwd())
    const then = before === undefined ? null : await measure(sandbox.url, resolve(before))
    print(`${'JavaScript of a page'.padEnd(24)}${then === null ? '' : 'before'.padStart(12)}${'now'.padStart(12)}`)
    for (const [name, bytes] of now) print(line(name, bytes, then?.get(name)))
    const rows = [...now].map(([name, bytes]) =>
      atMost(`JavaScript with gzip: ${name}`, bytes, SCRIPT_MOST, (it) => kb(it).trim()),
    )
    handOver('javascript', rows)
  } finally {
    await sandbox.end('SIGTERM')
  }
}

/** As `e2e/pages.spec.ts` holds it, which counts what browsers get. */
const SCRIPT_MOST = 200 * 1024

/** Next's polyfills: no browser that knows modules loads them. */
const FOR_OLD_BROWSERS = /<script[^>]*\bnomodule\b[^>]*>/gi

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`.padStart(12)

const line = (name: string, now: number, before: number | undefined): string =>
  before === undefined
    ? `${name.padEnd(24)}${kb(now)}`
    : `${name.padEnd(24)}${kb(before)}${kb(now)}${(now / before).toFixed(2).padStart(8)}`

async function measure(serviceUrl: string, folder: string): Promise<ReadonlyMap<string, number>> {
  const store = mkdtempSync(join(tmpdir(), 'bench-javascript-'))
  const console = await startConsole(serviceUrl, `file:${store}`, { folder })
  try {
    const visitor = Operator.visitor(console.url)
    const admin = await Operator.signIn(console.url, 'admin@example.com')
    const measured = await measurePages(visitor, admin)
    visitor.close()
    admin.close()
    return measured
  } finally {
    await console.end()
    rmSync(store, { recursive: true, force: true })
  }
}

async function measurePages(visitor: Operator, admin: Operator): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  const sizeOf = async (script: string): Promise<number> => {
    const known = sizes.get(script)
    if (known !== undefined) return known
    const size = gzipSync(await admin.ask(script)).length
    sizes.set(script, size)
    return size
  }
  const sizeOfAll = async (html: string): Promise<number> => {
    const forToday = html.replaceAll(FOR_OLD_BROWSERS, '')
    const scripts = new Set(forToday.match(/\/_next\/static\/chunks\/[\w.~-]+\.js/g))
    const all = await Promise.all([...scripts].map(sizeOf))
    return all.reduce((sum, size) => sum + size, 0)
  }
  const measured = new Map([['sign-in', await sizeOfAll(await visitor.ask('/sign-in'))]])
  for (const [name, find] of Object.entries(pages)) {
    measured.set(name, await sizeOfAll(await admin.ask(await find(admin))))
  }
  return measured
}

await bench(process.argv[2])
