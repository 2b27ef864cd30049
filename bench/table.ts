import { handOver, type Row } from './hand-over.ts'
import { printRow } from './print.ts'

/** What is measured, in the order in which it is printed; `aim`: at most so many ms, at least so many a second, on PGlite. */
const lines = {
  'start, new store': { unit: 'ms', aim: null },
  'start, reopened store': { unit: 'ms', aim: null },
  reset: { unit: 'ms', aim: 1_000 },
  'start, new large store': { unit: 'ms', aim: 60_000 },
  'start, reopened large store': { unit: 'ms', aim: null },
  'reads of a transaction': { unit: '/s', aim: 2_000 },
  'instant transfers': { unit: '/s', aim: 400 },
  'history, first page': { unit: 'ms', aim: 10 },
  'history, middle page': { unit: 'ms', aim: 10 },
  'history, last page': { unit: 'ms', aim: 10 },
} as const satisfies Record<string, { readonly unit: 'ms' | '/s'; readonly aim: number | null }>

export type LineName = keyof typeof lines

export type Measured = ReadonlyMap<LineName, number>

const WIDTHS = [30, 14, 14, 10, 22]

/** Prints both engines side by side, and hands them over; the ratio is PGlite's number through PostgreSQL's. */
export function printTable(pglite: Measured, postgres: Measured): void {
  printRow(['', 'PGlite', 'PostgreSQL', 'ratio', 'aim (PGlite)'], WIDTHS)
  const rows: Row[] = []
  for (const [name, { unit, aim }] of Object.entries(lines)) {
    const [one, other] = [pglite, postgres].map((measured) => measured.get(name as LineName) ?? Number.NaN)
    if (one === undefined || other === undefined) continue
    const shown = (value: number) => `${value < 100 && unit === 'ms' ? value.toFixed(1) : value.toFixed(0)} ${unit}`
    const ratio = (one / other).toFixed(2)
    const aimed = aim === null ? '' : `${unit === 'ms' ? 'at most' : 'at least'} ${aim} ${unit}`
    const met = unit === 'ms' ? one <= Number(aim) : one >= Number(aim)
    printRow([name, shown(one), shown(other), ratio, aimed], WIDTHS)
    const seen = `${shown(one)}; PostgreSQL ${shown(other)}; ratio ${ratio}`
    rows.push({ figure: `sandbox on PGlite: ${name}`, seen, aim: aimed, met: aim === null ? null : met })
  }
  handOver('sandbox', rows)
}
