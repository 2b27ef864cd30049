import type { Outcome } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { shortId } from '#lib/values/ids.ts'

export const thingKinds = ['transaction', 'user', 'card', 'case', 'terminal', 'merchant', 'statement'] as const

export type ThingKind = (typeof thingKinds)[number]

export interface Thing {
  readonly kind: ThingKind
  /** A transaction's reference; a merchant's id. */
  readonly id: string
}

export interface RecentThing extends Thing {
  readonly label: string
  readonly shownAt: string
  readonly pinned: boolean
}

interface OfKind {
  readonly word: string
  readonly idName: string
  readonly href: (id: string) => string
}

const below =
  (folder: string) =>
  (id: string): string =>
    `/${folder}/${encodeURIComponent(id)}`

const ofKind: Readonly<Record<ThingKind, OfKind>> = {
  transaction: { word: 'Transaction', idName: 'Reference', href: below('transactions') },
  user: { word: 'User', idName: 'User id', href: below('users') },
  card: { word: 'Card', idName: 'Card id', href: below('cards') },
  case: { word: 'Case', idName: 'Case', href: below('disputes') },
  terminal: { word: 'Terminal', idName: 'Terminal id', href: below('terminals') },
  merchant: {
    word: 'Merchant',
    idName: 'Merchant',
    href: (id) => `/terminals?${new URLSearchParams({ merchant: id })}`,
  },
  statement: { word: 'Statement', idName: 'Statement', href: below('deposits/statements') },
}

export const wordOf = ({ kind }: Pick<Thing, 'kind'>): string => ofKind[kind].word

export const idNameOf = ({ kind }: Pick<Thing, 'kind'>): string => ofKind[kind].idName

export const placeOfThing = ({ kind, id }: Thing): string => ofKind[kind].href(id)

export const thingWords = (thing: Thing & Pick<RecentThing, 'label'>): string =>
  `${wordOf(thing)} ${thing.label === '' ? shortId(thing.id) : thing.label}`

export const sources = {
  transactions: 'Transactions',
  cases: 'Dispute cases',
  cards: 'Cards',
  terminals: 'Terminals',
  merchants: 'Merchants',
  users: 'Users',
  register: 'The register of cards',
  statements: 'Statements',
  lines: 'Statement lines',
  'changed-terminals': 'Terminals changed here',
  changes: 'Changes made here',
  approvals: 'Approval requests',
  people: 'People who made changes',
  sessions: 'Sessions',
} as const

export type SourceName = keyof typeof sources

export const OF_SERVICE = new Set<SourceName>(['transactions', 'cases', 'cards', 'terminals', 'merchants', 'users'])

export interface Found {
  readonly kind: ThingKind | 'line' | 'change' | 'approval' | 'person' | 'session'
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
  | { readonly kind: 'searched'; readonly sources: readonly SourceName[] }
  | { readonly kind: 'found'; readonly source: SourceName; readonly found: readonly Found[] }
  | { readonly kind: 'failed'; readonly source: SourceName; readonly problem: Problem }
  | { readonly kind: 'end' }
