import type { Insertable } from 'kysely'
import { newCardNumber } from '#sandbox/cards/card-number.ts'
import { formatUnits, parseUnits } from '#sandbox/ledger/amount.ts'
import { newUuid, seededRandomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { ago } from './draw.ts'
import { people, userIdEndingIn } from './people.ts'

const DAY = 86_400

export type SeedCardName = 'everyday' | 'online' | 'allowance' | 'spare' | 'lost'

interface SeedCard {
  readonly name: SeedCardName
  readonly cardType: number
  readonly status: 'UNISSUED' | 'ACTIVE' | 'BLOCKED'
  readonly issuedDaysAgo: number
  readonly frozenDaysAgo?: number
  readonly caps?: readonly [perTxn: string | null, daily: string | null, lifetime: string | null]
}

const cards: readonly SeedCard[] = [
  { name: 'lost', cardType: 1, status: 'BLOCKED', issuedDaysAgo: 58 },
  { name: 'online', cardType: 2, status: 'ACTIVE', issuedDaysAgo: 57, caps: ['60', '150.5', '2500'] },
  { name: 'allowance', cardType: 3, status: 'ACTIVE', issuedDaysAgo: 48, frozenDaysAgo: 9, caps: [null, '20', null] },
  { name: 'everyday', cardType: 1, status: 'ACTIVE', issuedDaysAgo: 36 },
  { name: 'spare', cardType: 1, status: 'UNISSUED', issuedDaysAgo: 4 },
]

/** Stable, so that payments can name a card before it is written. */
export const cardIdOf = (holder: string, name: SeedCardName): string =>
  newUuid(seededRandomness(`the ${name} card of ${holder}`))

export const cardRows = (now: string): Insertable<Tables['card']>[] =>
  people
    .filter(({ role }) => role === 'HOLDER')
    .flatMap(({ ending, first, last }) => cards.map((card) => cardRow(card, ending, `${first} ${last}`, now)))

function cardRow(card: SeedCard, holder: string, printedName: string, now: string): Insertable<Tables['card']> {
  const random = seededRandomness(`the number of the ${card.name} card of ${holder}`)
  const daysAgo = (days: number) => ago(random, now, days * DAY)
  const [perTxn, daily, lifetime] = card.caps ?? []
  return {
    id: cardIdOf(holder, card.name),
    user_id: userIdEndingIn(holder),
    card_number: newCardNumber(random),
    card_type: card.cardType,
    printed_name: printedName,
    status: card.status,
    frozen: card.frozenDaysAgo !== undefined,
    issued_at: daysAgo(card.issuedDaysAgo),
    activated_at: card.status === 'UNISSUED' ? null : daysAgo(card.issuedDaysAgo - 3),
    frozen_at: card.frozenDaysAgo === undefined ? null : daysAgo(card.frozenDaysAgo),
    per_txn_cap: eightPlaces(perTxn),
    daily_cap: eightPlaces(daily),
    lifetime_cap: eightPlaces(lifetime),
  }
}

const eightPlaces = (amount: string | null | undefined): string | null =>
  typeof amount === 'string' ? formatUnits(parseUnits(amount)) : null
