import 'server-only'
import type { Row } from './csv.ts'
import { broken, otherAccountsWords, type ParsedStatement } from './statement.ts'

const HEADINGS = ['Date', 'Amount', 'Text']
const BANK_ACCOUNT = /^!Type:(Bank|Cash|Oth A)\s*$/i

const withoutEnd = ({ place }: Pick<Row, 'place'>): ParsedStatement =>
  broken({ place, what: 'This entry does not end (^). Export the file again.' })

/** Rows of date, amount and text. QIF has no currency, no references and no fixed decimal mark. */
export function rowsOfQif(text: string): readonly Row[] | ParsedStatement {
  const rows: Row[] = []
  let entry: { place: number; date: string; amount: string; texts: string[] } | null = null
  let isBank = false
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.startsWith('!')) {
      if (entry !== null) return withoutEnd(entry)
      isBank = BANK_ACCOUNT.test(line)
      continue
    }
    if (!isBank || line.trim() === '') continue
    if (line.startsWith('^')) {
      if (entry !== null) rows.push({ place: entry.place, cells: [entry.date, entry.amount, entry.texts.join(' ')] })
      entry = null
      continue
    }
    entry ??= { place: index + 1, date: '', amount: '', texts: [] }
    const value = line.slice(1).trim()
    if ((line.startsWith('D') && entry.date !== '') || (line.startsWith('T') && entry.amount !== '')) {
      return withoutEnd(entry)
    }
    if (line.startsWith('D')) entry.date = value
    else if (line.startsWith('T')) entry.amount = value
    else if (/^[NPM]/.test(line) && value !== '') entry.texts.push(value)
  }
  if (entry !== null) return withoutEnd(entry)
  if (rows.length === 0) return broken({ place: null, what: 'The QIF file has no payments of a bank account.' })
  return [{ place: 1, cells: HEADINGS }, ...rows]
}

export function otherAccountsIn(text: string): string {
  const others = text.split(/^\ufeff?!/m).filter((section) => /^Type:(CCard|Oth L|Invst)/i.test(section))
  return otherAccountsWords([...others.join('').matchAll(/^\^/gm)].length)
}
