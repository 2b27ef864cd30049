import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const sources = globSync('{app,components,lib,sandbox,scripts,tools,e2e,bench}/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.d.ts'),
)
const read = (file: string): string => readFileSync(file, 'utf8')

test('a page asks for the session itself: a browser can ask for a page without the layout around it', () => {
  const pages = sources.filter((file) => /^app\/\(console\)\/.*page\.tsx$/.test(file))
  expect(pages.length).toBeGreaterThan(3)
  const asks = /await require(Session|Access)\(/
  const without = pages.filter((file) => !asks.test(read(file)))
  expect(without.filter((file) => !/^export default accessPage\(\{/m.test(read(file)))).toEqual([])
  expect(read('app/(console)/page-reads.tsx').split('export const accessPage')[1]).toMatch(asks)
})

/** These wait for the console's own store and for a person's scopes alone, or send on to another page before anything is shown. */
const WAITS_FOR_NO_SERVICE = [
  'activity/[id]/page.tsx',
  'activity/page.tsx',
  'approvals/page.tsx',
  'cards/issue/page.tsx',
  'cards/page.tsx',
  'disputes/categories/page.tsx',
  'disputes/snippets/page.tsx',
  'security/policy/page.tsx',
  'security/policy/rehearsal/page.tsx',
  'security/sessions/page.tsx',
  'transactions/page.tsx',
  'users/[id]/cards/page.tsx',
  'users/page.tsx',
]

test('a page that reads at the service has an outline to stand there meanwhile', () => {
  const pages = sources.filter((file) => /^app\/\(console\)\/.*page\.tsx$/.test(file))
  const without = pages.filter(
    (file) => !/<Suspense[^>]* fallback=\{<|<RenderWithin\b[^<]* outline=\{</.test(read(file)),
  )
  expect(without.map((file) => file.replace('app/(console)/', '')).sort()).toEqual(WAITS_FOR_NO_SERVICE)
  const reads = without.filter((file) =>
    importsOf(file).some((from) => /-service\.ts$|whole-thread|queue-view/.test(from)),
  )
  expect(reads).toEqual([])
})

/** Imports that remain at run time: imports of types alone do not. `all`: those of `import()` too. */
const importsOf = (file: string, extent: 'all' | 'static' = 'all'): string[] =>
  [
    ...read(file).matchAll(
      /(?:^|\n)(?:import|export) (?!type\b)([^'\n]*?(?:\{[^}]*\})?[^'\n]*?)'([^']+)'|import\('([^']+)'\)/g,
    ),
  ]
    .filter(([, what = '']) => !/^\{(?:\s*type [^,}]+,?)+\s*\} from $/.test(what))
    .map(([, , from, lazy]) => from ?? (extent === 'all' ? lazy : null) ?? '')
    .filter((from) => from !== '')

function fileOf(from: string, importer: string): string {
  if (!from.startsWith('#')) return join(dirname(importer), from)
  // The two short names that shadcn/ui's command writes.
  if (from === '#cn') return 'components/ui/cn.ts'
  return from.startsWith('#ui/') ? `components/${from.slice(1)}.tsx` : from.slice(1)
}

test('marks server-only files in their first line', () => {
  const always = /^lib\/(config|http|store|telemetry|session\/(vault|sign-in|sign-out)|statements\/file)\//
  // `scripts/console.ts` loads these without the framework, which alone gives the mark its meaning.
  const loadedByNode = ['lib/config/per-process.ts', 'lib/http/http-server.ts']
  const onServer = (file: string): boolean =>
    loadedByNode.includes(file) || read(file).startsWith("import 'server-only'\n")
  const production = sources.filter(
    (file) => file.startsWith('lib/') && !/^lib\/(?:testing|database)\/|\.(?:test|long)\.ts$|\/migrations\//.test(file),
  )
  const takesAlong = (file: string): string[] =>
    importsOf(file)
      .filter((from) => /^[#.]/.test(from))
      .map((from) => fileOf(from, file))
  const open = production.filter((file) => !onServer(file))
  expect(production.length - open.length).toBeGreaterThan(150)
  expect(open.filter((file) => always.test(file))).toEqual([])
  expect(open.filter((file) => takesAlong(file).some((one) => production.includes(one) && onServer(one)))).toEqual([])
  expect(open.filter((file) => importsOf(file).some((from) => /^(?:node:|kysely|next\/headers)/.test(from)))).toEqual(
    [],
  )
})

function filesInBrowser(extent: 'all' | 'static'): readonly string[] {
  const inBrowser = new Set(sources.filter((file) => read(file).startsWith("'use client'")))
  for (const file of inBrowser) {
    for (const from of importsOf(file, extent)) if (/^[#.]/.test(from)) inBrowser.add(fileOf(from, file))
  }
  expect(inBrowser.size).toBeGreaterThan(100)
  return [...inBrowser]
}

test('no schema reaches a browser: zod probes for eval there, which the page’s policy refuses', () => {
  expect(filesInBrowser('all').filter((file) => importsOf(file).includes('zod'))).toEqual([])
})

test('loads arithmetic in a browser on demand alone', () => {
  const arithmetic = (file: string) => importsOf(file).includes('decimal.js')
  expect(filesInBrowser('all').filter(arithmetic)).toEqual(['lib/values/money.ts'])
  expect(filesInBrowser('static').filter(arithmetic)).toEqual([])
})

/** Each is one more thing that a page tells the browser of, beside what it holds. */
const MARKED_FILES_MOST = 70

test('few files are marked for the browser: what such a file takes along runs there by itself', () => {
  const marked = sources.filter((file) => read(file).startsWith("'use client'"))
  expect(marked.length).toBeLessThan(MARKED_FILES_MOST)
})

/** A limit that only falls. */
const BROWSER_FILES_MOST = 200

test('browsers load at most 200 files of app and components', () => {
  const loaded = filesInBrowser('all').filter((file) => /^(?:app|components)\//.test(file))
  expect(loaded.length).toBeLessThanOrEqual(BROWSER_FILES_MOST)
})

/** They read the next cases ahead, and pass that on. */
const READS_AHEAD = [
  'app/(console)/disputes/(with-queue)/queue-pane-list.tsx',
  'app/(console)/disputes/queue-columns.tsx',
  'components/values/reference.tsx',
]

test('no page but the next cases is read before it is opened', () => {
  const pages = sources.filter((file) => file.endsWith('.tsx') && !file.startsWith('components/ui/'))
  const links = pages.flatMap((file) => [...read(file).matchAll(/<Link\b[^>]*?>/gs)].map(([link]) => ({ file, link })))
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ link }) => !link.includes('prefetch={'))).toEqual([])
  expect(pages.filter((file) => /prefetch=(?!\{false\})/.test(read(file))).sort()).toEqual(READS_AHEAD)
  expect(pages.filter((file) => /\.prefetch\(/.test(read(file)))).toEqual([])
})

test('there are no server actions: changes go through one endpoint', () => {
  expect(sources.filter((file) => /^\s*['"]use server['"]/m.test(read(file)))).toEqual([])
})

test('a file that a document or a comment names is there', () => {
  const documents = globSync('{*,docs/**/*}.md')
  const all = globSync('{*,.vscode/*,{app,components,lib,sandbox,scripts,tools,e2e,bench,docs}/**/*}.*').map(
    (file) => `/${file}`,
  )
  // `interface.md` is outside of this repository; commands write the tables in `test-results`.
  const named = [...documents, ...sources].flatMap((file) =>
    [...read(file).matchAll(/`([\w./[\]()-]+\.(?:tsx?|mjs|md))`/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter(
    ({ name }) => !/^(?:interface\.md$|test-results\/)/.test(name) && !all.some((file) => file.endsWith(`/${name}`)),
  )
  expect(missing).toEqual([])
})

test('no file is a drawer for things without a place', () => {
  expect(sources.filter((file) => /^(utils?|helpers?|misc|common|types)\.tsx?$/.test(basename(file)))).toEqual([])
})

test('nothing opens a database, a socket or a timer when it is imported', () => {
  const atImport = /^(?:const \w+ = |await )?(?:open|new PGlite|createServer|setInterval|setTimeout)\(/m
  expect(sources.filter((file) => !file.startsWith('scripts/') && atImport.test(read(file)))).toEqual([])
})

interface LockedPackage {
  readonly link?: boolean
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** Built for something that this console is not run on in production: Linux with glibc, on x64 or arm64. */
const isForOthers = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'], optional }: LockedPackage): boolean =>
  optional === true &&
  !(os.includes('linux') && libc.includes('glibc') && (cpu.includes('x64') || cpu.includes('arm64')))

test('keeps what a process remembers out of module variables', () => {
  const server = sources.filter((file) => /^(?:lib|app\/api)\//.test(file) && !/\.(?:test|long)\.tsx?$/.test(file))
  const remembers = /^(?:export )?(?:let \w|const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\))/m
  expect(server.length).toBeGreaterThan(300)
  expect(server.filter((file) => !file.startsWith('lib/testing/') && remembers.test(read(file)))).toEqual([])
})

test('the lock file names no registry, and has the hash of every package that production installs', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }
  const locked = Object.entries(packages).filter(([place, { link }]) => place !== '' && link !== true)
  expect(locked.length).toBeGreaterThan(300)
  const namesOf = (which: (entry: LockedPackage) => boolean): string[] =>
    locked.filter(([, entry]) => which(entry)).map(([place]) => place)
  expect(namesOf(({ resolved }) => resolved !== undefined)).toEqual([])
  expect(namesOf((entry) => entry.integrity === undefined && !isForOthers(entry))).toEqual([])
})

test('a transaction of the console’s store begins in one place, where a deadlock is tried again', () => {
  const begins = sources.filter((file) => /^(?:lib|app)\/(?!testing\/)/.test(file) && !file.endsWith('.test.ts'))
  expect(begins.filter((file) => /\.(?:start)?[tT]ransaction\(\)/.test(read(file)))).toEqual(['lib/store/store.ts'])
})

/** What a page has timers for. None of them asks the console again and again, but the one module that keeps pages current. */
const TIMERS: Readonly<Record<string, string>> = {
  'app/(console)/cards/issue/card-number-once.tsx': 'puts the focus where the number is',
  'app/(console)/deposits/statements/[id]/use-line-acts.ts': 'reads changed lines again, at most every three seconds',
  'app/(console)/disputes/(with-queue)/[caseId]/use-unseen.ts':
    'who only passes by has not looked; one request until the console took it',
  'app/(console)/disputes/(with-queue)/[caseId]/outbox.ts':
    'a message without an answer is asked for again under its id',
  'app/(console)/disputes/(with-queue)/[caseId]/workbench.tsx': 'reads the page again when the case closes',
  'app/(console)/disputes/filter-field.tsx': 'filters when the person stops typing',
  'app/(console)/disputes/use-current-queue.ts': 'a page is read ahead once the one on screen is there',
  'app/(console)/page-reads.tsx': 'on the server: says when rows take longer than a moment',
  'components/command/no-outcome.tsx': 'says after a while that nothing is known',
  'components/command/use-command.ts': 'a confirmation without an answer is asked for until somebody tells',
  'components/frame/page-progress.tsx': 'a page that does not come is waited for no more',
  'components/frame/notify-messages.ts': 'notifies of a message that stays unread for a moment',
  'components/frame/text-keeper.ts': 'keeps what is typed, and waits for a text that the page before is still sending',
  'components/frame/session-watch.tsx':
    'sends activity at most once a minute, gives up the focus search, reloads a page that a step back has not shown',
  'components/look-up/omnibox.tsx': 'loads its dialogs once the page has been there for a moment',
  'components/look-up/use-look-up.ts': 'looks up when the person stops typing',
  'components/stream/event-stream-client.ts': 'reads the stream, polls in its place, and ends a silent stream',
  'components/stream/subscribe.ts': 'waits until the page has settled',
  'components/stream/tab-coordinator.ts': 'announces changed topics once, and calls the tab that leads',
  'components/export/receive-export.ts': 'frees a file that the browser has saved',
  'components/table/table-grid.tsx': 'says that rows take long',
  'components/values/copyable.tsx': 'a mark that something was copied goes',
  'components/service/ask-console.ts': 'repeats a request that crossed the renewal of its session',
  'components/values/timestamp.tsx': 'the second hand of the page',
}

test('nothing in a page asks by the clock but the one module that keeps pages current', () => {
  const ofPages = sources.filter((file) => /^(?:app|components)\//.test(file) && !/\.test\.tsx?$/.test(file))
  const inBrowser = ofPages.filter((file) => !/^app\/api\//.test(file))
  const timed = inBrowser.filter((file) => /\b(?:setTimeout|setInterval|requestIdleCallback)\(/.test(read(file)))
  expect(timed.sort()).toEqual(Object.keys(TIMERS).sort())
  // What goes on and on: only these.
  expect(timed.filter((file) => /\bsetInterval\(/.test(read(file)))).toEqual([
    'components/stream/tab-coordinator.ts',
    'components/values/timestamp.tsx',
  ])
})
