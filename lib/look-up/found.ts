import type { Outcome } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { holdsCardNumber } from '#lib/values/text.ts'
import type { ThingKind } from './thing.ts'

const TEXT_MAX_CHARS = 512

export const sources = {
  transactions: 'Transactions',
  cases: 'Dispute cases',
  cards: 'Cards',
  terminals: 'Terminals',
  merchants: 'Merchants',
  users: 'Users',
  register: 'The register of cards',
  lines: 'Statement lines',
  changes: 'Changes made here',
} as const

export type SourceName = keyof typeof sources

export const OF_CONSOLE: ReadonlySet<SourceName> = new Set(['register', 'lines', 'changes'])

export interface Found {
  readonly kind: ThingKind | 'line' | 'change'
  readonly href: string
  readonly words: string
  readonly id: string | null
  readonly detail: string
  /** Decimal text from the service. */
  readonly amount: string | null
  /** Raw state from the service. */
  readonly state: string | null
  readonly outcome: Outcome['class'] | null
}

/** The sources asked, then each result as it arrives, then the end. */
export type LookUpFrame =
  | { readonly kind: 'asked'; readonly sources: readonly SourceName[] }
  | { readonly kind: 'found'; readonly source: SourceName; readonly found: readonly Found[] }
  | { readonly kind: 'failed'; readonly source: SourceName; readonly problem: Problem }
  | { readonly kind: 'end' }

/** Null if the text can be looked up. Card numbers are refused. */
export function lookUpFault(text: string): string | null {
  const length = [...text].length
  if (length > TEXT_MAX_CHARS) {
    return `This has ${length.toLocaleString('en-US')} characters; nothing that can be looked up has more than ${TEXT_MAX_CHARS}.`
  }
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return 'This has a line end or a character that cannot be seen. Paste one id or reference.'
  }
  return holdsCardNumber(text)
    ? 'This holds a card number, which is never looked up. Enter its last four digits.'
    : null
}
