import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { atMost, handOver } from './hand-over.ts'
import { Operator } from './operator.ts'
import { printRow } from './print.ts'
import { Programs } from './programs.ts'

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

/** `node bench/javascript.ts [FOLDER]`: kB of a page's JavaScript in gzip, beside those of FOLDER, another built checkout. */
async function bench(before: string | undefined): Promise<void> {
  const now = await measure(process.cwd())
  const then = before === undefined ? null : await measure(resolve(before))
  printRow(['JavaScript of a page', ...(then === null ? [] : ['before']), 'now'], WIDTHS)
  for (const [name, bytes] of now) printRow([name, ...figuresOf(bytes, then?.get(name))], WIDTHS)
  handOver(
    'javascript',
    [...now].map(([name, bytes]) => atMost(`JavaScript with gzip: ${name}`, bytes, SCRIPT_MOST, kb)),
  )
}

/** As `e2e/pages.spec.ts` holds it, which counts what browsers get. */
const SCRIPT_MOST = 200 * 1024

/** Next's polyfills: no browser that knows modules loads them. */
const FOR_OLD_BROWSERS = /<script[^>]*\bnomodule\b[^>]*>/gi

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} kB`

const WIDTHS = [24, 12, 12, 8]

const figuresOf = (now: number, before: number | undefined): readonly string[] =>
  before === undefined ? [kb(now)] : [kb(before), kb(now), (now / before).toFixed(2)]

async function measure(folder: string): Promise<ReadonlyMap<string, number>> {
  await using programs = new Programs()
  const console = await programs.startConsole(await programs.startSandbox(), { folder })
  const visitor = programs.adopt(Operator.visitor(console.url), (person) => person.close())
  return await measurePages(visitor, await programs.signIn(console.url, 'admin@example.com'))
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
