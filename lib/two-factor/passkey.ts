import { CARD_NUMBER_WORDS, holdsCardNumber, textFault } from '#lib/values/text.ts'

/** The database has the same limit. */
export const PASSKEYS_MAX = 5

const NAME_MAX_CHARS = 60

export function passkeyNameFault(name: string): string | null {
  if (name.trim() === '') return 'Enter a name, such as “Work laptop”.'
  return holdsCardNumber(name) ? CARD_NUMBER_WORDS : textFault(name.trim(), NAME_MAX_CHARS)
}

export interface PasskeyView {
  readonly id: string
  readonly name: string
  /** True if the passkey can be copied to other devices. */
  readonly synced: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
