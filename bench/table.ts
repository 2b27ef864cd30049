/** What is measured, in the order in which it is printed. */
const lines = {
  'start, new store': { unit: 'ms', aim: '' },
  'start, reopened store': { unit: 'ms', aim: '' },
  reset: { unit: 'ms', aim: 'under 1000' },
  'start, new large store': { unit: 'ms', aim: 'under 60000' },
  'start, reopened large store': { unit: 'ms', aim: '' },
  'reads of a transaction': { unit: '/s', aim: '2000' },
  'instant transfers': { unit: '/s', aim: '400' },
  'history, first page': { unit: 'ms', aim: 'under 10' },
  'history, middle page': { unit: 'ms', aim: 'under 10' },
  'history, last page': { unit: 'ms', aim: 'under 10' },
} as const satisfies Record<string, { readonly unit: 'ms' | '/s'; readonly aim: string }>

export type LineName = keyof typeof lines

/** What one engine needed or managed. */
export type Measured = ReadonlyMap<LineName, number>

const WIDTHS = [30, 14, 14, 10, 14]

/** Prints both engines side by side; the ratio is PGlite's number through PostgreSQL's. */
export function printTable(pglite: Measured, postgres: Measured): void {
  printRow(['', 'PGlite', 'PostgreSQL', 'ratio', 'aim (PGlite)'])
  for (const [name, { unit, aim }] of Object.entries(lines)) {
    const [one, other] = [pglite, postgres].map((measured) => measured.get(name as LineName) ?? Number.NaN)
    if (one === undefined || other === undefined) continue
    const shown = (value: number) => `${value < 100 && unit === 'ms' ? value.toFixed(1) : value.toFixed(0)} ${unit}`
    printRow([name, shown(one), shown(other), (one / other).toFixed(2), aim])
  }
}

function printRow(cells: readonly string[]): void {
  const padded = cells.map((cell, index) =>
    index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0),
  )
  process.stdout.write(`${padded.join('').trimEnd()}\n`)
}
