import type { ColumnMapping, CsvHead } from './file/csv.ts'

export type ColumnField = Exclude<keyof ColumnMapping, 'decimalMark'>

/** Where each column seems to be, by its place; and how its amounts seem to be written. */
export interface GuessedMapping {
  readonly columns: Readonly<Partial<Record<ColumnField, number>>>
  readonly decimalMark: ColumnMapping['decimalMark']
}

/** Heads of columns as banks write them, in English and German, without case, spaces and marks. The first that fits wins. */
const HEADS: readonly (readonly [field: ColumnField, heads: readonly string[]])[] = [
  [
    'bankReference',
    [
      'bankreference',
      'bankref',
      'bankreferenz',
      'banktransactionid',
      'transactionid',
      'transactionreference',
      'transaktionsid',
      'transaktionsnummer',
      'buchungsreferenz',
      'umsatzid',
      'accountservicerreference',
      'archivierungsnummer',
      'fitid',
    ],
  ],
  [
    'reference',
    [
      'paymentreference',
      'zahlungsreferenz',
      'reference',
      'referenz',
      'ref',
      'customerreference',
      'kundenreferenz',
      'kundenreferenzendtoend',
      'endtoendreference',
      'endtoendid',
      'endtoendreferenz',
      'endezuendereferenz',
      'endtoend',
      'referencenumber',
      'referenznummer',
    ],
  ],
  ['amount', ['amount', 'betrag', 'umsatz', 'credit', 'creditamount', 'haben', 'paidin', 'moneyin', 'gutschrift']],
  ['currency', ['currency', 'währung', 'waehrung', 'whrg', 'ccy', 'währungscode']],
  [
    'bookedOn',
    [
      'bookedon',
      'bookingdate',
      'buchungstag',
      'buchungsdatum',
      'buchung',
      'postingdate',
      'transactiondate',
      'date',
      'datum',
      'valuedate',
      'valuta',
      'valutadatum',
      'wertstellung',
    ],
  ],
  [
    'text',
    [
      'text',
      'freetext',
      'description',
      'details',
      'paymentdetails',
      'remittanceinformation',
      'narrative',
      'memo',
      'purpose',
      'verwendungszweck',
      'buchungstext',
      'beschreibung',
      'zahlungszweck',
      'vorgangverwendungszweck',
    ],
  ],
]

/** `Betrag (EUR)` and `betrag` are one head. */
const plain = (head: string): string =>
  head
    .replace(/\([^)]*\)|\b(EUR|BZD|USD)\b/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Guesses the columns by their heads; a person looks at it before anything is imported. */
export function guessMapping({ columns, sample }: CsvHead): GuessedMapping {
  const heads = columns.map(plain)
  const taken = new Set<number>()
  const guessed: Partial<Record<ColumnField, number>> = {}
  for (const [field, known] of HEADS) {
    const at = known.map((head) => heads.findIndex((one, place) => one === head && !taken.has(place))).find(isThere)
    if (at === undefined) continue
    guessed[field] = at
    taken.add(at)
  }
  const amounts = guessed.amount === undefined ? [] : sample.map((row) => row[guessed.amount ?? 0] ?? '')
  return { columns: guessed, decimalMark: amounts.some(isWithComma) ? 'comma' : 'point' }
}

const isThere = (place: number): boolean => place !== -1

/** `1.250,00` and `7,5`, not `1,250` and `1,250.00`. */
const isWithComma = (amount: string): boolean => /^[^,]*,(\d{1,2}|\d{4,8})\s*$|\.\d{3},\d+\s*$/.test(amount.trim())
