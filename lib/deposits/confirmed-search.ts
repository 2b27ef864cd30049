import { filterReader, ME, personIn } from '#lib/values/address-filter.ts'
import { visibleText } from '#lib/values/text.ts'
import { expectedDay, isDay } from '#lib/values/time.ts'
import { BANK_REFERENCE_MAX_CHARS, foldBankReference } from './deposit.ts'

/** An empty text matches everything. Field names are query parameters. */
export interface ConfirmedSearch {
  /** A bank reference, or its beginning. */
  readonly bank: string
  /** `me`, or the beginning of a name. */
  readonly by: string
  /** `2026-11-20`, in the business time zone. */
  readonly day: string
}

export const ALL_CONFIRMED: ConfirmedSearch = { bank: '', by: '', day: '' }

const NAME_MAX_CHARS = 200

export function readConfirmedSearch(query: URLSearchParams) {
  const { faults, textOf, take } = filterReader(query)
  const isReference = (text: string) => foldBankReference(text) !== '' && [...text].length <= BANK_REFERENCE_MAX_CHARS
  const search: ConfirmedSearch = {
    bank: take('bank', isReference, 'is not a bank reference, so it was ignored.'),
    by: personIn(take('by', (text) => text.length <= NAME_MAX_CHARS, 'is not a name, so it was ignored.')),
    day: take('day', isDay, `is not ${expectedDay(textOf('day'))} such as 2026-11-20, so it was ignored.`),
  }
  return { search, faults }
}

export const isSearch = ({ bank, by, day }: ConfirmedSearch): boolean => bank !== '' || by !== '' || day !== ''

/** `confirmed by mia, on 2026-11-20 (UTC)`. */
export const searchWords = ({ bank, by, day }: ConfirmedSearch, zone: string): string =>
  [
    bank === '' ? [] : `with a bank reference that starts with “${visibleText(bank)}”`,
    by === '' ? [] : `confirmed by ${by === ME ? 'you' : visibleText(by)}`,
    day === '' ? [] : `on ${day} (${zone})`,
  ]
    .flat()
    .join(', ')
