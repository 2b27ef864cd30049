import { endOf } from '#lib/values/uuid.ts'

/** Kinds that have a page of their own. */
export const thingKinds = ['transaction', 'user', 'card', 'case', 'terminal', 'merchant', 'statement'] as const

export type ThingKind = (typeof thingKinds)[number]

export interface Thing {
  readonly kind: ThingKind
  /** The reference of a transaction; the merchant id of a merchant. */
  readonly id: string
}

export interface RecentThing extends Thing {
  /** Extra words for the list; empty if the id is enough. */
  readonly label: string
  /** ISO 8601: when its page was last shown. */
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

/** For example `User …000011`; uses the label if there is one. */
export const thingWords = (thing: Thing & Pick<RecentThing, 'label'>): string =>
  `${wordOf(thing)} ${thing.label === '' ? endOf(thing.id) : thing.label}`
