import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault } from '#lib/values/typed-line.ts'

/** Of each person for each table, and as many shared ones. */
export const VIEWS_MAX = 50

const VIEW_NAME_MAX_CHARS = 60

/** What is wrong with the name of a view; null when nothing is. */
export function viewNameFault(name: string): string | null {
  if (name.trim() === '') return 'Give the view a name.'
  return holdsCardNumber(name) ? CARD_NUMBER_WORDS : lineFault(name.trim(), VIEW_NAME_MAX_CHARS)
}

/** What a view sets: what the address says of the table, and how the table looks. */
export interface ViewState {
  /** By parameter of the address: size, order and filters. Never the page. */
  readonly query: Readonly<Record<string, string>>
  readonly hidden: readonly string[]
  readonly density: 'normal' | 'compact'
}

/** A view as its table shows it. */
export interface SavedView extends ViewState {
  readonly id: string
  readonly name: string
  readonly shared: boolean
  /** Who made it; null for the person who asks. */
  readonly by: string | null
  /** The person may save and rename it. */
  readonly mayChange: boolean
  readonly mayRemove: boolean
  /** What it was saved with and the table no longer has, in words. */
  readonly gone: readonly string[]
}
