import { handOver, type Row } from './hand-over.ts'
import { machineLoad } from './machine.ts'
import { print, printRow } from './print.ts'

interface Aim {
  readonly figure: string
  /** What it was when the aim was set. */
  readonly was: string
  /** At most this much. */
  readonly aim: number
  readonly unit: string
}

const aims = {
  historyRows: { figure: 'CPU per request: history of 20 rows / none', was: '2.4 to 3.0', aim: 1.6, unit: '' },
  queueRows: { figure: 'CPU per request: queue of 20 rows / none', was: '2.3', aim: 1.5, unit: '' },
  firstByte: { figure: 'first byte, one client, less slowest call', was: '8 ms', aim: 4, unit: ' ms' },
  lastByte: { figure: 'last byte p50, 20 clients / one', was: '21', aim: 10, unit: '' },
  memory: { figure: 'memory after all these requests', was: '900 MB', aim: 600, unit: ' MB' },
  historyRow: { figure: 'first row of a history, slowed 4 times', was: '760 ms', aim: 400, unit: ' ms' },
  queueRow: { figure: 'first row of the queue, slowed 4 times', was: '980 ms', aim: 400, unit: ' ms' },
  historyBlocked: { figure: 'blocking time of that history', was: '340 ms', aim: 100, unit: ' ms' },
  queueBlocked: { figure: 'blocking time of that queue', was: '', aim: 100, unit: ' ms' },
  historyFetches: { figure: 'fetches of a history for first content', was: '0', aim: 0, unit: '' },
  queueFetches: { figure: 'fetches of the queue for first content', was: '3', aim: 0, unit: '' },
  nextCase: { figure: 'next case / soft navigation to Security', was: '4.7', aim: 1, unit: '' },
  nextCaseSlowed: { figure: 'the same, slowed 4 times', was: '6.2', aim: 1, unit: '' },
  firstCase: { figure: 'queue to case / soft navigation to Security', was: '', aim: 1.5, unit: '' },
  firstCaseSlowed: { figure: 'the same, slowed 4 times', was: '', aim: 1.5, unit: '' },
  nextCaseBlocked: { figure: 'blocking time of a next case', was: '', aim: 100, unit: ' ms' },
  search: { figure: 'search opened / a frame of 100 ms', was: '', aim: 1, unit: '' },
  nextPage: { figure: 'next page of a history', was: '110 to 320 ms', aim: 160, unit: ' ms' },
  filter: { figure: 'filter of the queue', was: '110 to 320 ms', aim: 160, unit: ' ms' },
  otherList: { figure: 'resolved cases of the queue', was: '110 to 320 ms', aim: 160, unit: ' ms' },
  signInScript: { figure: 'JavaScript of the first load, sign-in', was: '149 kB', aim: 0, unit: ' kB' },
  queueScript: { figure: 'JavaScript of the first load, queue', was: '211 kB', aim: 190, unit: ' kB' },
  textMedian: { figure: 'hub event to text, after a bare client, median', was: '102 ms', aim: 15, unit: ' ms' },
  textP99: { figure: 'hub event to text, after a bare client, p99', was: '', aim: 50, unit: ' ms' },
  streamRequests: { figure: 'requests/s of 1,000 idle tabs', was: '333', aim: 20, unit: '' },
  streamCpu: { figure: 'CPU for them, of one core', was: '', aim: 10, unit: ' %' },
  streamMemory: { figure: 'memory of one of them', was: '', aim: 100, unit: ' kB' },
  endNoticed: { figure: 'an ended session is told of, p99', was: '3,000 ms', aim: 5_000, unit: ' ms' },
  claimNoticed: { figure: 'a colleague’s claim is told of, p99', was: '5,000 ms', aim: 1_000, unit: ' ms' },
  otherPages: { figure: 'p95 of another page, with them / without', was: '', aim: 1.1, unit: '' },
} as const satisfies Record<string, Aim>

export type AimName = keyof typeof aims

export type Figures = Partial<Record<AimName, number>>

const WIDTHS = [48, 14, 12, 12, 10]

/** Prints what a part measured beside its aims, and hands it over; with another build's figures first where there are some. */
export function printAims(part: string, now: Figures, before: Figures | null): void {
  print(`\n${machineLoad()}`)
  printRow(['', 'when set', ...(before === null ? [] : ['other build']), 'this run', 'aim', ''], WIDTHS)
  const rows: Row[] = []
  for (const [name, { figure, was, aim, unit }] of Object.entries(aims) as [AimName, Aim][]) {
    const value = now[name]
    if (value === undefined) continue
    const shown = (one: number | undefined) => (one === undefined ? '–' : `${one.toFixed(decimals(aim, unit))}${unit}`)
    const other = before === null ? [] : [shown(before[name])]
    const met = value <= aim
    printRow([figure, was, ...other, shown(value), `${aim}${unit}`, met ? 'met' : 'missed'], WIDTHS)
    rows.push({ figure, seen: shown(value), aim: `at most ${aim}${unit}`, met })
  }
  handOver(part, rows)
}

/** Ratios with two places, small times with one. */
function decimals(aim: number, unit: string): number {
  if (aim === 0 || aim >= 100) return 0
  return unit === '' ? 2 : 1
}
