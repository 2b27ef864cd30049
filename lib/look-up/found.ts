import type { Outcome } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { holdsCardNumber } from '#lib/values/typed-line.ts'
import type { ThingKind } from './thing.ts'

/** Longer than any name of the service. */
const TEXT_MAX_CHARS = 512

/** Where a text is looked up, each by itself. */
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

/** Those of the console's own store; the others are the service's. */
export const OF_CONSOLE: ReadonlySet<SourceName> = new Set(['register', 'lines', 'changes'])

/** What a look-up found, as far as a line of its list goes. */
export interface Found {
  readonly kind: ThingKind | 'line' | 'change'
  /** Its page. */
  readonly href: string
  /** What it is, in words. */
  readonly words: string
  /** Its id or reference; null where the words say all. */
  readonly id: string | null
  /** One more fact, in words. */
  readonly detail: string
  /** Decimal text as the service gave it. */
  readonly amount: string | null
  /** As the service gave it. */
  readonly state: string | null
  /** Of a change: how it stands. */
  readonly outcome: Outcome['class'] | null
}

/** One line of the answer to a look-up: who is asked, then what each answers as it answers, then the end. */
export type LookUpFrame =
  | { readonly kind: 'asked'; readonly sources: readonly SourceName[] }
  | { readonly kind: 'found'; readonly source: SourceName; readonly found: readonly Found[] }
  | { readonly kind: 'failed'; readonly source: SourceName; readonly problem: Problem }
  | { readonly kind: 'end' }

/** What is wrong with a text that was typed or pasted; null when it can be looked up. */
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
