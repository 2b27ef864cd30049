import { isUuid } from '#lib/values/ids.ts'
import { holdsCardNumber, lineFault, plainDigits } from '#lib/values/text.ts'

/** An id may be a card's or a holder's. */
export type CardSearch =
  | { readonly by: 'nothing' }
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'last-four'; readonly last4: string }
  /** Part of a printed name or card type name, or a whole card type number. */
  | { readonly by: 'words'; readonly words: string }

export const EVERY_CARD: CardSearch = { by: 'nothing' }

const SEARCH_MAX_CHARS = 64

const DIGITS_ONLY = /^[\d\s.\-–]+$/
const digitsIn = (text: string): number => text.replace(/\D/g, '').length

/** Includes mistyped numbers. The console must not store any part of such a text. */
export function isCardNumber(typed: string): boolean {
  const text = plainDigits(typed).trim()
  if (isUuid(text)) return false
  const digits = digitsIn(text)
  return holdsCardNumber(text) || (DIGITS_ONLY.test(text) && digits >= 12 && digits <= 19)
}

export const CARD_NUMBER_REFUSED = 'Full card numbers are never searched or saved. Enter the last four digits.'

export function searchFault(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || isUuid(text)) return null
  if (isCardNumber(text)) return CARD_NUMBER_REFUSED
  if (DIGITS_ONLY.test(text) && digitsIn(text) > 4) return 'Enter a full id, or the last four digits.'
  return lineFault(text, SEARCH_MAX_CHARS)
}

export function searchOf(typed: string): CardSearch {
  const text = typed.trim()
  if (text === '') return EVERY_CARD
  if (isUuid(text)) return { by: 'id', id: text }
  return /^\d{4}$/.test(text) ? { by: 'last-four', last4: text } : { by: 'words', words: text }
}

/** Null if everything is shown. A card's id redirects to the card, so `id` means a holder. */
export function searchedWords(search: CardSearch): string | null {
  switch (search.by) {
    case 'nothing':
      return null
    case 'id':
      return 'Cards of the holder with this id.'
    case 'last-four':
      return `Cards ending in ${search.last4}.`
    case 'words':
      return `Printed names and card types with “${search.words}”.`
  }
}
