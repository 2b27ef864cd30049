import { beforeEach, describe, expect, test } from 'vitest'
import { readCard } from '#lib/core-api/cards.ts'
import type { Session } from '#lib/session/session.ts'
import { ANA, type CardWorld, cardWorld, NEW_CARD, OPERATOR } from '#lib/testing/card-world.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'
import { findVisibleCard, readRegister } from './register-sight.ts'

const FIRST_PAGE = { page: 1, size: 20 }

let world: CardWorld

beforeEach(async () => {
  world = await cardWorld()
})

describe('who sees the register', () => {
  test('those who issue or block see all of it; whose scopes are not known what they issued; others nothing', async () => {
    const card = await world.issued()
    const clerk = await signedInUnread(world.service, 'operator@example.com')
    const own = await world.issue({ ...NEW_CARD, printedName: 'Own' }, clerk)
    const seen = async (session: Session) => (await readRegister(session, '', FIRST_PAGE)).cards.map(({ id }) => id)
    expect(await seen(world.operator)).toEqual([own.card?.id, card.id])
    expect(await seen(world.admin)).toEqual([own.card?.id, card.id])
    expect(await seen(clerk)).toEqual([own.card?.id])
    expect(await readRegister(world.viewer, card.last4, FIRST_PAGE)).toEqual({ sight: 'none', cards: [], total: 0 })
    expect(await findVisibleCard(world.viewer, card.id)).toBeNull()
    expect(await findVisibleCard(clerk, card.id)).toBeNull()
    expect(await findVisibleCard(world.operator, card.id.toUpperCase())).toEqual(card)
  })

  test('a draft tells nobody more than they may see', async () => {
    const card = await world.issued()
    const drafted = await draftOf(world.viewer, 'card.block', { cardId: card.id, last4: card.last4, reason: 'curious' })
    expect(drafted.ok).toBe(true)
    expect(JSON.stringify(drafted)).not.toContain(ANA)
    expect(JSON.stringify(drafted)).not.toContain('Alvarez')
  })
})

test('a card that the holder reads loses its number at the edge of the console', async () => {
  const { card } = await world.issue({ ...NEW_CARD, userId: OPERATOR })
  const { accessToken } = await world.service.login('operator@example.com')
  const { data } = await world.service.call('GET', `/api/v1/cards/${card?.id}`, { token: accessToken })
  const number = String(data?.cardNumber)
  expect(number).toMatch(/^\d{16}$/)
  const read = await readCard(world.operator, card?.id ?? '')
  expect(read).toMatchObject({ ok: true, value: { id: card?.id, last4: number.slice(-4), status: 'UNISSUED' } })
  expect(JSON.stringify(read)).not.toContain(number)
})
