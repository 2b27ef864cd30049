import { merchantIdFault } from '#lib/terminals/terminal.ts'
import { referenceFault } from '#lib/transactions/reference.ts'
import { endOf, isUuid } from '#lib/values/ids.ts'

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

const ofKind: Readonly<Record<ThingKind, OfKind>> = {
  transaction: {
    word: 'Transaction',
    idName: 'Reference',
    href: (id) => `/transactions/${encodeURIComponent(id)}`,
  },
  user: { word: 'User', idName: 'User id', href: (id) => `/users/${encodeURIComponent(id)}` },
  card: { word: 'Card', idName: 'Card id', href: (id) => `/cards/${encodeURIComponent(id)}` },
  case: { word: 'Case', idName: 'Case', href: (id) => `/disputes/${encodeURIComponent(id)}` },
  terminal: {
    word: 'Terminal',
    idName: 'Terminal id',
    href: (id) => `/terminals/${encodeURIComponent(id)}`,
  },
  merchant: {
    word: 'Merchant',
    idName: 'Merchant',
    href: (id) => `/terminals?${new URLSearchParams({ merchant: id })}`,
  },
  statement: {
    word: 'Statement',
    idName: 'Statement',
    href: (id) => `/deposits/statements/${encodeURIComponent(id)}`,
  },
}

export const wordOf = ({ kind }: Pick<Thing, 'kind'>): string => ofKind[kind].word

export const idNameOf = ({ kind }: Pick<Thing, 'kind'>): string => ofKind[kind].idName

export const placeOfThing = ({ kind, id }: Thing): string => ofKind[kind].href(id)

export const thingWords = (thing: Thing & Pick<RecentThing, 'label'>): string =>
  `${wordOf(thing)} ${thing.label === '' ? endOf(thing.id) : thing.label}`

export function isThing({ kind, id }: Thing): boolean {
  if (kind === 'transaction') return referenceFault(id) === null
  return kind === 'merchant' ? merchantIdFault(id) === null : isUuid(id)
}
