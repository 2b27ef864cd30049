import { isStorable, UNSTORABLE_WORDS } from '#lib/contract/storable-text.ts'
import { CARD_NUMBER_WORDS, holdsCardNumber } from './typed-line.ts'

export function textFault(typed: string, maxChars: number, ask: string): string | null {
  const text = typed.trim()
  if (text === '') return ask
  const length = [...text].length
  if (length > maxChars) {
    return `At most ${maxChars.toLocaleString('en-US')} characters; this has ${length.toLocaleString('en-US')}.`
  }
  if (!isStorable(text)) return UNSTORABLE_WORDS
  return holdsCardNumber(text) ? CARD_NUMBER_WORDS : null
}
