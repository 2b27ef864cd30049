import { describe, expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ANA, ISSUE, NEW_CARD, OPERATOR, cardTest as test } from '#lib/testing/card-world.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { EVERY_CARD, searchOf } from './card-search.ts'
import { readCard } from './card-service.ts'
import { readOnRegister, readRegister, visibleCardTypes } from './issued-cards.ts'

const FIRST_PAGE = { page: 1, size: 20 }

describe('who sees the register', () => {
  test('those who issue or block see all of it, others nothing: also where their scopes could not be read', async ({
    service,
    operator,
    admin,
    viewer,
    issueCard,
    issuedCard,
  }) => {
    const card = await issuedCard()
    const clerk = await signedInUnread(service, 'operator@example.com')
    const own = await issueCard({ ...NEW_CARD, printedName: 'Own' }, clerk)
    for (const session of [operator, admin]) {
      const page = await readRegister(session, EVERY_CARD, FIRST_PAGE)
      expect('cards' in page ? page.cards.map(({ id }) => id) : page).toEqual([own.card?.id, card.id])
    }
    const ana = await signedIn(service, 'ana@example.com', ANA)
    for (const [session, known] of [
      [viewer, true],
      [ana, true],
      [clerk, false],
    ] as const) {
      const scopes = ['core:cards:create', 'core:cards:manage']
      expect(await readRegister(session, searchOf(card.last4), FIRST_PAGE)).toEqual({ scopes, known })
      // One that is on the register and one that is not look the same.
      for (const id of [card.id, ANA]) expect(await readOnRegister(session, id)).toEqual({ scopes, known })
      expect(await visibleCardTypes(session)).toBeNull()
    }
    expect(await readOnRegister(operator, card.id.toUpperCase())).toEqual(card)
    expect(await readOnRegister(operator, ANA)).toBeNull()
    expect(await visibleCardTypes(operator)).toHaveLength(1)
  })

  test('what one did under another name reads as one’s own, and as their name to everybody else', async ({
    operator,
    admin,
    issuedCard,
  }) => {
    const card = await issuedCard()
    const other = operator.method === 'sso' ? 'password' : 'sso'
    const db = await store()
    await db.updateTable('command').set({ actor_name: 'Olga Operator', method: other }).execute()
    await db.updateTable('issued_card').set({ issuer_name: 'Olga Operator', recorded_by: 'Olga Operator' }).execute()
    const namesFor = async (session: Session) => {
      const one = await readOnRegister(session, card.id)
      const page = await readRegister(session, EVERY_CARD, FIRST_PAGE)
      return [one, ...('cards' in page ? page.cards : [])].map((found) =>
        found !== null && 'issuer_name' in found ? found.issuer_name : null,
      )
    }
    expect(await namesFor(operator)).toEqual(['you, with another sign-in', 'you, with another sign-in'])
    expect(await namesFor(admin)).toEqual(['Olga Operator', 'Olga Operator'])
  })

  test('a draft tells nobody more than they may see', async ({ service, viewer, issuedCard }) => {
    const card = await issuedCard()
    const params = { cardId: card.id, last4: card.last4, reason: 'curious' }
    expect(await draftOf(viewer, 'card.block', params)).toMatchObject({
      ok: false,
      problem: { status: 403, scope: 'core:cards:manage' },
    })
    const unknown = await draftOf(await signedInUnread(service, 'viewer@example.com'), 'card.block', params)
    expect(unknown.ok).toBe(true)
    expect(JSON.stringify(unknown)).not.toContain(ANA)
    expect(JSON.stringify(unknown)).not.toContain('Alvarez')
    const holder = { label: 'Holder', value: 'not read: scopes could not be read when it was prepared' }
    expect(unknown).toMatchObject({ draft: { lines: expect.arrayContaining([expect.objectContaining(holder)]) } })
  })
})

test('a card that the holder reads loses its number at the edge of the console', async ({
  service,
  operator,
  admin,
  issueCard,
}) => {
  const { card } = await issueCard({ ...NEW_CARD, userId: OPERATOR }, admin)
  const { accessToken } = await service.login('operator@example.com')
  const { data } = await service.call('GET', `/api/v1/cards/${card?.id}`, { token: accessToken })
  const number = String(data?.cardNumber)
  expect(number).toMatch(/^\d{16}$/)
  const read = await readCard(operator, card?.id ?? '')
  expect(read).toMatchObject({ ok: true, value: { id: card?.id, last4: number.slice(-4), status: 'UNISSUED' } })
  expect(JSON.stringify(read)).not.toContain(number)
})

test('learns card types from issued and looked-up cards', async ({ service, operator, viewer, issuedCard }) => {
  await issuedCard()
  expect(await visibleCardTypes(operator)).toEqual([{ card_type: 1, name: 'Classic' }])
  const { accessToken } = await service.login('operator@example.com')
  const body = { ...NEW_CARD, userId: OPERATOR, cardType: 2 }
  const { data } = await service.call('POST', ISSUE, { token: accessToken, body })
  expect((await readCard(operator, String(data?.id))).ok).toBe(true)
  await eventually(async () => {
    expect(await visibleCardTypes(operator)).toContainEqual({ card_type: 2, name: 'Business' })
  })
  expect(await visibleCardTypes(viewer)).toBeNull()
})
