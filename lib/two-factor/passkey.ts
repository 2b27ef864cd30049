import { textFault } from '#lib/values/typed-line.ts'

/** As the database has it as well. */
export const PASSKEYS_MAX = 5

const NAME_MAX_CHARS = 60

/** What is wrong with the name of a passkey; null when nothing is. */
export function passkeyNameFault(name: string): string | null {
  if (name.trim() === '') return 'Give it a name, such as “Work laptop”.'
  return textFault(name.trim(), NAME_MAX_CHARS)
}

/** A passkey as its person sees it. */
export interface PasskeyView {
  readonly id: string
  readonly name: string
  /** Whether it can be copied to other devices. */
  readonly synced: boolean
  /** ISO 8601. */
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
