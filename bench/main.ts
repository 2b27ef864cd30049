import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tableOfAll } from './all-parts.ts'
import { machineLoad } from './machine.ts'
import { print } from './print.ts'

const TABLE = 'test-results/bench.md'

/** What can be measured, in the order in which all of it runs. Each part is a program of its own, so that none inherits another's memory. */
const parts: Readonly<Record<string, string>> = {
  pages:
    'aims of the pages, as one table; `pages server` or `pages browser` alone, `short`, and the FOLDER of another build',
  sandbox: 'the sandbox on both engines',
  journal: 'changes a second of 50 operators; beside the FOLDER of another checkout',
  console: 'a statement, an export, and each page beside its slowest call',
  javascript: 'what pages load; beside the FOLDER of another build',
  live: 'aims of live cases and of 1,000 idle tabs; `live browser` or `live streams` alone, and SECONDS for the tabs',
  tracing: 'what lines of the log, metrics and traces cost',
  'dispute-queue': 'the queue on many cases',
  'dispute-pages': 'pages of a console that knows many cases, beside one that knows few',
  statements: 'bank files of 10,000 lines: time, longest block of the event loop, memory',
  start: '`npm start` in a fresh clone of what is committed, and later starts',
}

/** `npm run bench`: all parts. `npm run bench -- PART [WORDS]`: one of them. */
async function bench([part, ...words]: readonly string[]): Promise<void> {
  if (part !== undefined && !Object.hasOwn(parts, part)) {
    print('There is no such part. There are:')
    for (const [name, about] of Object.entries(parts)) print(`  ${name.padEnd(15)} ${about}`)
    process.exitCode = 1
    return
  }
  for (const name of part === undefined ? Object.keys(parts) : [part]) {
    print(`\n== ${name}, begun with a ${machineLoad()}`)
    await run(name, words)
    print(`== ${name}, ended with a ${machineLoad()}`)
  }
  const table = tableOfAll(Object.keys(parts))
  mkdirSync('test-results', { recursive: true })
  writeFileSync(TABLE, table)
  print(`\n${table}\nThis table is in ${TABLE}; of parts that were not run now it has the figures of their latest run.`)
}

async function run(name: string, words: readonly string[]): Promise<void> {
  const args = ['--conditions=react-server', `bench/${name}.ts`, ...words]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  if (code !== 0) process.exit(code ?? 1)
}

await bench(process.argv.slice(2))
