import type { CommandView } from '#lib/commands/command.ts'
import { PRINTED_NAME_MAX_CHARS } from '#lib/contract/states.ts'
import { isUuid, userIdFault } from '#lib/values/ids.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber, lineFault } from '#lib/values/text.ts'

/** The card number is shown once; the operator can extend that once, by as long again. */
export const NUMBER_SHOWN_SECONDS = 60

export function cardIdFault(id: string): string | null {
  const text = id.trim()
  if (text === '') return 'Enter the card id. The holder sees it in their own app.'
  if (isUuid(text)) return null
  return holdsCardNumber(text)
    ? 'This is a card number, not a card id. Never enter card numbers.'
    : 'Not a card id. An id has 36 characters, like 3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15.'
}

export const holderIdFault = (id: string): string | null => userIdFault(id.trim())

export const CARD_TYPE_DIGITS_MAX = 9

/** The service decides which types exist; the interface says only that they are integers. */
export function cardTypeFault(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return 'Choose or enter the card type.'
  return /^(0|-?[1-9]\d{0,8})$/.test(text) ? null : 'A whole number of at most nine digits, for example 1.'
}

export function printedNameFault(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return 'Enter the name to print on the card.'
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : lineFault(text, PRINTED_NAME_MAX_CHARS)
}

/** Optional for a block, because a holder who cannot read the digits must be able to block. */
export function last4Fault(typed: string, needed: boolean): string | null {
  const text = typed.trim()
  if (/^\d{4}$/.test(text)) return null
  if (text !== '') return 'Enter only the last four digits.'
  return needed ? 'Enter the last four digits of the card number.' : null
}

export const ASK_REASON = 'Enter a reason, for example: stolen, reported by the holder by phone.'
export const ASK_HOW_KNOWN = 'Enter how you know, for example: the holder read it out by phone.'

export const inFours = (cardNumber: string): readonly string[] =>
  cardNumber.replace(/[\s\p{Pd}]/gu, '').match(/.{1,4}/g) ?? []

export const CARD_LINE = 'Card'
export const LAST_FOUR_LINE = 'Last four'

export interface IssuedCard {
  readonly id: string
  readonly last4: string
}

/** Null if the issue is not done or its answer did not name the card. */
export function issuedCardOf({ outcome }: CommandView): IssuedCard | null {
  if (outcome.class !== 'done') return null
  const lineOf = (label: string) => outcome.lines.find((line) => line.label === label)?.value
  const [id, last4] = [lineOf(CARD_LINE), lineOf(LAST_FOUR_LINE)]
  return id === undefined || last4 === undefined ? null : { id, last4 }
}

export const cardPlace = ({ target }: { readonly target: string }) => ({
  href: `/cards/${encodeURIComponent(target)}`,
  words: 'Open the card',
})
