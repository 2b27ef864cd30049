import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import type { ColumnMapping } from '#lib/statements/file/statement.ts'
import { atMost, handOver, type Row, told } from './hand-over.ts'
import { median, timeOf } from './measure.ts'
import { print } from './print.ts'

const LINES = 10_000
const TIMES = 9
const READ_MOST_MS = 3_000
const BLOCKED_MOST_MS = 50
const MEGABYTE = 1024 * 1024
const NS_PER_MS = 1e6
const TURN_MS = 10
const MAPPING: ColumnMapping = {
  ...{ headings: true, reference: 1, amount: 2, bankReference: 3, bookedOn: 0, currency: null, text: 4 },
  decimalMark: 'point',
}

interface Payment {
  readonly amount: string
  readonly reference: string
  readonly bank: string
  readonly text: string
}

const payments = Array.from(
  { length: LINES },
  (_unused, at): Payment => ({
    amount: `${(at * 7) % 2_000}.${String(10 + (at % 90))}`,
    reference: `DEP-2026-${at}`,
    bank: `BENCH${at}`,
    text: `Top-up of wallet ${at} by counter`,
  }),
)

const formats: Readonly<Record<string, readonly [mapping: ColumnMapping | null, text: string]>> = {
  CSV: [
    MAPPING,
    [
      'Date,Reference,Amount,Bank reference,Text',
      ...payments.map(({ amount, reference, bank, text }) => `2026-05-05,${reference},${amount},${bank},${text}`),
    ].join('\n'),
  ],
  MT940: [
    null,
    [
      ...[':20:BENCH', ':25:BANK/1', ':28C:1/1', ':60F:C260504BZD0,00'],
      ...payments.flatMap(({ amount, reference, bank, text }) => [
        `:61:2605050505C${amount.replace('.', ',')}NTRF${reference}//${bank}`,
        `:86:/EREF/${reference}/ORDP//NAME/Payer/REMI/USTD//${text}/`,
      ]),
      '-',
    ].join('\n'),
  ],
  'camt.053': [
    null,
    `<Document><BkToCstmrStmt><Stmt>${payments
      .map(
        ({ amount, reference, bank, text }) =>
          `<Ntry><Amt Ccy="BZD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-05-05</Dt></BookgDt><AcctSvcrRef>${bank}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs><RltdPties><Dbtr><Nm>Payer</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
      )
      .join('')}</Stmt></BkToCstmrStmt></Document>`,
  ],
}

/** `npm run bench -- statements`: bank files of 10,000 lines, read in the worker as the import does. Asserts nothing. */
async function bench(): Promise<void> {
  const rows: Row[] = []
  for (const [name, [mapping, text]] of Object.entries(formats)) {
    const bytes = Buffer.from(text)
    const figure = `${name} of ${LINES} lines, ${megabytes(bytes.length)}`
    const { readMs, blockedMs, cpuMs, allCpuMs, more } = await measure(async () => {
      const read = await readInWorker(bytes, mapping)
      if (read.kind !== 'whole' || read.lines.length !== LINES) throw new Error(`${name} was not read`)
    })
    rows.push(
      atMost(`${figure}: read`, readMs, READ_MOST_MS, milliseconds),
      atMost(`${figure}: longest block, less that of an idle loop`, blockedMs, BLOCKED_MOST_MS, milliseconds),
      atMost(`${figure}: longest block, in processor time`, cpuMs, BLOCKED_MOST_MS, milliseconds),
      told(`${figure}: processor time of all threads`, milliseconds(allCpuMs)),
      told(`${figure}: memory after ${TIMES} times, more than before`, megabytes(more)),
    )
  }
  for (const { figure, seen, aim } of rows) print(`${figure.padEnd(72)}${seen.padStart(8)}   ${aim}`)
  handOver('statements', rows)
}

/** Medians. An idle loop is measured after each time, because a busy machine stops that one, too. */
async function measure(read: () => Promise<void>) {
  const [reads, idle]: [Watched[], Watched[]] = [[], []]
  await read()
  const before = process.memoryUsage.rss()
  for (let n = 0; n < TIMES; n += 1) {
    const watched = await watch(read)
    reads.push(watched)
    idle.push(await watch(() => wait(watched.ms)))
  }
  const middle = (of: readonly Watched[], figure: keyof Watched): number => median(of.map((one) => one[figure]))
  return {
    readMs: middle(reads, 'ms'),
    blockedMs: Math.max(0, middle(reads, 'blockedMs') - middle(idle, 'blockedMs')),
    cpuMs: middle(reads, 'cpuMs'),
    allCpuMs: middle(reads, 'allCpuMs'),
    more: process.memoryUsage.rss() - before,
  }
}

interface Watched {
  readonly ms: number
  /** Of the longest block of this thread's event loop: on the clock, and in processor time of this thread. */
  readonly blockedMs: number
  readonly cpuMs: number
  readonly allCpuMs: number
}

const cpuMsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

async function watch(work: () => Promise<void>): Promise<Watched> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  let [last, cpuMs] = [process.threadCpuUsage(), 0]
  const turns = setInterval(() => {
    cpuMs = Math.max(cpuMs, cpuMsOf(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
  }, 1)
  const all = process.cpuUsage()
  delays.enable()
  const ms = await timeOf(work)
  // The block that ended it is counted at the next turn.
  await wait(TURN_MS)
  delays.disable()
  clearInterval(turns)
  return { ms, blockedMs: delays.max / NS_PER_MS, cpuMs, allCpuMs: cpuMsOf(process.cpuUsage(all)) }
}

const milliseconds = (ms: number): string => `${ms.toFixed(0)} ms`
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`

await bench()
