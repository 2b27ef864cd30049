import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConsoleProcess } from './console-process.ts'
import { atMost, handOver, told } from './hand-over.ts'
import { median } from './measure.ts'
import { HISTORY, OPERATOR } from './measured-pages.ts'
import type { Operator } from './operator.ts'
import { print } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'
import { Programs } from './programs.ts'

const SESSIONS = 4
const CLIENTS = 8
const REQUESTS = 200
const ROUNDS = 20
/** Of processor time, in per cent. */
const TRACES_MOST = 3

const percent = (value: number): string => `${value.toFixed(1)} %`

interface Measured {
  readonly name: string
  readonly console: ConsoleProcess
  readonly people: readonly Operator[]
  readonly cpuMs: number[]
}

/**
 * `npm run bench -- tracing [short]`: the processor time of metrics and traces. Consoles with and without them serve the same
 * page in turns.
 */
async function bench(words: readonly string[]): Promise<void> {
  if (!canReadCost()) return print('not measured here, there is no /proc')
  await using programs = new Programs()
  const collector = programs.use(
    createServer((request, response) => request.resume().on('end', () => response.end('{}'))),
  )
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const sandbox = await programs.startSandbox()
  const token = { METRICS_TOKEN: 'a-token-of-this-benchmark-and-no-other' }
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const start = async (name: string, environment: Readonly<Record<string, string>>): Promise<Measured> => {
    const console = await programs.startConsole(sandbox, { also: environment })
    const people = await Promise.all(Array.from({ length: SESSIONS }, () => programs.signIn(console.url, OPERATOR)))
    return { name, console, people, cpuMs: [] }
  }
  const all = [
    await start('without', { LOG_REQUESTS: 'off' }),
    // What two that are alike differ by is the noise of this run.
    await start('nothing, again', { LOG_REQUESTS: 'off' }),
    await start('lines of the log', {}),
    await start('metrics', { LOG_REQUESTS: 'off', ...token }),
    await start('traces', { LOG_REQUESTS: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
  ]
  for (const one of all) for (let n = 0; n < 3; n += 1) await load(one)
  for (let round = 0; round < (words.includes('short') ? 6 : ROUNDS); round += 1) {
    // Another one is first in each round.
    for (let at = 0; at < all.length; at += 1) {
      const one = all[(at + round) % all.length]
      if (one !== undefined) one.cpuMs.push(await load(one))
    }
  }
  tell(all)
}

/** Processor time for each page, in milliseconds. */
async function load({ console, people }: Measured): Promise<number> {
  const before = costOf(console.pid).cpuMs
  let requests = 0
  const client = async (_: unknown, at: number): Promise<void> => {
    while (requests++ < REQUESTS) await people[at % people.length]?.time(HISTORY)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (costOf(console.pid).cpuMs - before) / REQUESTS
}

function tell([without, ...others]: readonly Measured[]): void {
  print(`\nprocessor time of a history of 20 rows, without: ${median(without?.cpuMs ?? []).toFixed(2)} ms`)
  const rows = others.map(({ name, cpuMs }) => {
    const ratios = cpuMs.map((cpu, round) => cpu / (without?.cpuMs[round] ?? Number.NaN))
    const more = (median(ratios) - 1) * 100
    print(`with ${name}: ${median(cpuMs).toFixed(2)} ms, ${percent(more)} more`)
    const figure = `processor time of a history, more with ${name}`
    return name === 'traces' ? atMost(figure, more, TRACES_MOST, percent) : told(figure, percent(more))
  })
  handOver('tracing', rows)
}

await bench(process.argv.slice(2))
