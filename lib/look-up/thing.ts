import { endOf } from '#lib/values/uuid.ts'

/** What has a page of its own, and is found again by its id. */
export const thingKinds = ['transaction', 'user', 'card', 'case', 'terminal', 'merchant', 'statement'] as const

export type ThingKind = (typeof thingKinds)[number]

export interface Thing {
  readonly kind: ThingKind
  /** Of a transaction its reference, of a merchant the merchant's id. */
  readonly id: string
}

/** What a person looked at or pinned. */
export interface RecentThing extends Thing {
  /** What tells it apart beside its id; empty where the id is all. */
  readonly label: string
  /** ISO 8601: when its page was shown last. */
  readonly shownAt: string
  readonly pinned: boolean
}

interface OfKind {
  readonly word: string
  /** What its id is called. */
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

/** The page of a thing. */
export const placeOfThing = ({ kind, id }: Thing): string => ofKind[kind].href(id)

/** In words: `User …000011`; by its label where it has one. */
export const thingWords = (thing: Thing & Pick<RecentThing, 'label'>): string =>
  `${wordOf(thing)} ${thing.label === '' ? endOf(thing.id) : thing.label}`
