import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ERASED } from '#lib/commands/row.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type CardSearch, EVERY_CARD } from './card-search.ts'
import {
  countOthersOfHolder,
  eraseOfCard,
  findCardOfCommand,
  findIssuedCard,
  findUnblockedOf,
  type IssuedCardRow,
  insertIssuedCard,
  listIssuedCards,
  markBlocked,
  printedNameOf,
} from './issued-cards.ts'

const ANA = '00000000-0000-4000-8000-000000000011'
const BEN = '00000000-0000-4000-8000-00000000001B'

beforeEach(async () => {
  await freshConsole()
})

let minute = 0

/** A card on the register, each a minute after the one before. */
async function registered(change: Partial<IssuedCardRow> = {}): Promise<IssuedCardRow> {
  const db = await store()
  minute += 1
  const command_id = randomUUID()
  const given = { kind: 'card.issue', actor: 'sso:1', actorName: 'one', target: ANA, params: '{}', facts: '{}' }
  await insertDraft(db, { id: command_id, ...given })
  const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const card: IssuedCardRow = {
    id: randomUUID(),
    last4: '1234',
    user_id: ANA,
    card_type: 1,
    card_type_name: 'Classic',
    printed_name: 'Ana Alvarez',
    issuer: 'sso:1',
    issuer_name: 'one',
    issued_at: at,
    command_id,
    came: 'issued',
    recorded_by: 'one',
    recorded_at: at,
    blocked_at: null,
    blocked_by: null,
    block_reason: null,
    ...change,
  }
  await db.transaction().execute((trx) => insertIssuedCard(trx, card))
  return card
}

test('offers no erased name for a replacement', async () => {
  const { id } = await registered()
  const nameNow = async () => printedNameOf((await findIssuedCard(await store(), id)) ?? { printed_name: 'none' })
  expect(await nameNow()).toBe('Ana Alvarez')
  const [db, which] = [await store(), sql`id = ${id}`]
  await db.transaction().execute((trx) => eraseOfCard(trx, { printed_name: ERASED }, which))
  expect(await nameNow()).toBe('')
})

const block = async (id: string, by = 'two', reason = 'stolen') =>
  (await store()).transaction().execute((trx) => markBlocked(trx, id, { at: '2026-02-01T00:00:00.000Z', by, reason }))

const idsOf = (cards: readonly IssuedCardRow[]) => cards.map(({ id }) => id)

describe('a card', () => {
  test('is found by its id, in capitals and small letters, and by its command', async () => {
    const card = await registered({ id: '3F2B8C1E-5D04-4B7A-9E61-0C8D2F7A4E15' })
    const db = await store()
    expect(await findIssuedCard(db, card.id)).toEqual(card)
    expect(await findIssuedCard(db, card.id.toLowerCase())).toEqual(card)
    expect(await findCardOfCommand(db, card.command_id)).toEqual(card)
    expect(await findIssuedCard(db, ANA)).toBeUndefined()
  })

  test('stays as it is when it comes again, under the same id or of the same command', async () => {
    const card = await registered()
    await registered({ id: card.id.toUpperCase(), printed_name: 'Somebody Else' })
    await registered({ command_id: card.command_id, printed_name: 'Somebody Else' })
    const db = await store()
    expect(await findIssuedCard(db, card.id)).toEqual(card)
    expect(await findCardOfCommand(db, card.command_id)).toEqual(card)
  })

  test('with more than the last four digits is refused by the database itself', async () => {
    await expect(registered({ last4: '9084003072183688' })).rejects.toThrow()
  })
})

describe('blocking', () => {
  test('is noted once, with who and why', async () => {
    const card = await registered()
    await block(card.id.toUpperCase())
    await block(card.id, 'three', 'again')
    expect(await findIssuedCard(await store(), card.id)).toMatchObject({
      blocked_at: '2026-02-01T00:00:00.000Z',
      blocked_by: 'two',
      block_reason: 'stolen',
    })
  })

  test('a card that nobody knows leaves nothing behind', async () => {
    const card = await registered()
    await block(randomUUID())
    expect(await findIssuedCard(await store(), card.id)).toEqual(card)
  })

  test('a holder’s cards that are not blocked come newest first', async () => {
    const [first, second, third] = [await registered(), await registered(), await registered()]
    await registered({ user_id: BEN })
    await block(second.id)
    const db = await store()
    expect(idsOf(await findUnblockedOf(db, ANA))).toEqual([third.id, first.id])
    expect(idsOf(await findUnblockedOf(db, BEN.toLowerCase()))).toHaveLength(1)
    expect(await countOthersOfHolder(db, first)).toBe(2)
    expect(await countOthersOfHolder(db, { ...first, user_id: BEN.toLowerCase(), id: 'another' })).toBe(1)
  })
})

describe('the list', () => {
  test('comes newest first, in pages, with how many there are', async () => {
    const cards: IssuedCardRow[] = []
    for (let made = 0; made < 5; made += 1) cards.unshift(await registered())
    const db = await store()
    const first = await listIssuedCards(db, EVERY_CARD, { page: 1, size: 2 })
    expect(first).toEqual({ cards: cards.slice(0, 2), total: 5 })
    expect((await listIssuedCards(db, EVERY_CARD, { page: 3, size: 2 })).cards).toEqual(cards.slice(4))
    expect(await listIssuedCards(db, EVERY_CARD, { page: 4, size: 2 })).toEqual({ cards: [], total: 5 })
  })

  const found = async (search: CardSearch) => idsOf((await listIssuedCards(await store(), search, one)).cards)

  test('finds by whole id, holder or last four digits, and nothing by a part of these', async () => {
    const wanted = await registered({ user_id: BEN, last4: '9876' })
    await registered()
    for (const id of [wanted.id, wanted.id.toUpperCase(), BEN, BEN.toLowerCase()]) {
      expect(await found({ by: 'id', id })).toEqual([wanted.id])
    }
    expect(await found({ by: 'last-four', last4: '9876' })).toEqual([wanted.id])
    expect(await found({ by: 'last-four', last4: '987' })).toEqual([])
    for (const words of ['9876', wanted.id, wanted.id.slice(0, 8), '%', '_', '\\']) {
      expect(await found({ by: 'words', words })).toEqual([])
    }
  })

  test('finds cards by part of name or type', async () => {
    const ben = await registered({ printed_name: 'Ben 100% Bennett', card_type: 12, card_type_name: 'Business' })
    const ana = await registered()
    for (const [words, ids] of [
      ['bENN', [ben.id]],
      ['usines', [ben.id]],
      ['100%', [ben.id]],
      ['12', [ben.id]],
      ['1', [ana.id, ben.id]],
      ['a a', [ana.id]],
      ['e', [ana.id, ben.id]],
    ] as const) {
      expect(await found({ by: 'words', words }), words).toEqual(ids)
    }
  })

  const one = { page: 1, size: 20 }
})
