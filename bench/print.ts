export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The last width is also that of all further cells. */
export function printRow([name = '', ...cells]: readonly string[], [first = 0, ...widths]: readonly number[]): void {
  const padded = cells.map((cell, at) => cell.padStart(widths[at] ?? widths.at(-1) ?? 0))
  print((name.padEnd(first) + padded.join('')).trimEnd())
}
