import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault } from '#lib/values/text.ts'

/** For each table: views of one person, and shared views. */
export const VIEWS_MAX = 50

const VIEW_NAME_MAX_CHARS = 60

export function viewNameFault(name: string): string | null {
  if (name.trim() === '') return 'Enter a name for the view.'
  return holdsCardNumber(name) ? CARD_NUMBER_WORDS : lineFault(name.trim(), VIEW_NAME_MAX_CHARS)
}

export interface ViewState {
  /** By address parameter. Never the page. */
  readonly query: Readonly<Record<string, string>>
  readonly hidden: readonly string[]
  readonly density: 'normal' | 'compact'
}

export interface SavedView extends ViewState {
  readonly id: string
  readonly name: string
  readonly shared: boolean
  /** Null for the person who reads it. */
  readonly by: string | null
  readonly mayChange: boolean
  readonly mayRemove: boolean
  /** Stored settings that the table no longer has. */
  readonly gone: readonly string[]
}
