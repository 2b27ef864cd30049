import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { holderOf } from '#lib/commands/locks.ts'
import { inTurn } from '#lib/commands/rate-limit.ts'
import { recordAtOnce } from '#lib/commands/record.ts'
import { isBeingSent } from '#lib/commands/send.ts'
import { settleByHand } from '#lib/commands/settle.ts'
import { findCommand } from '#lib/commands/store.ts'
import { PARTY_FAULT } from '#lib/commands/view.ts'
import { findEvents } from '#lib/journal/event.ts'
import { store } from '#lib/store/store.ts'
import { ANA, cardTest, ISSUE, NEW_CARD, OPERATOR } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'
import { cardRegister } from './card-register.ts'
import { findIssuedCard } from './issued-cards.ts'

const test = cardTest.extend(
  'lost',
  ({ service, issueCard, cardsOfAna }) =>
    async (effect: 'drop-after' | 'garble') => {
      const before = (await cardsOfAna()).map(({ id }) => id)
      await service.fault('POST', ISSUE, effect)
      const { command } = await issueCard()
      const newest = (await cardsOfAna()).find(({ id }) => !before.includes(id))
      if (newest === undefined) throw new Error('the service has no new card')
      return { issueId: command.id, cardId: newest.id, last4: newest.last4, why: 'read out by the holder by phone' }
    },
)

describe('registering a card whose answer was lost', () => {
  test.for(['drop-after', 'garble'] as const)(
    '%s: it stands on the register, and its issue is settled',
    async (effect, { service, operator, lost }) => {
      const typed = await lost(effect)
      const sent = await service.arrived('POST', ISSUE)
      const { command } = await runCommand(operator, 'card.register', typed)
      expect(command.outcome.class).toBe('done')
      const db = await store()
      expect(await findIssuedCard(db, typed.cardId)).toMatchObject({
        last4: typed.last4,
        user_id: ANA,
        printed_name: 'Ana Alvarez',
        came: 'registered',
        issuer: `sso:${OPERATOR}`,
        recorded_by: 'operator@example.com',
        command_id: typed.issueId,
      })
      expect(await findCommand(db, typed.issueId)).toMatchObject({ state: 'applied' })
      expect(await holderOf(db, `issue:${ANA}`)).toBeNull()
      expect((await findEvents(db, typed.issueId)).at(-1)?.body).toContain(typed.why)
      expect(await service.arrived('POST', ISSUE)).toBe(sent)
    },
  )

  test('another one of the same issue, or the same card again, is refused', async ({
    service,
    operator,
    issueCard,
    lost,
  }) => {
    const typed = await lost('garble')
    await runCommand(operator, 'card.register', typed)
    const other = await draftOf(operator, 'card.register', { ...typed, cardId: OPERATOR })
    expect(other).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining(`ending ${typed.last4}`) } })
    await service.fault('POST', ISSUE, 'garble')
    const next = await issueCard()
    const same = await draftOf(operator, 'card.register', { ...typed, issueId: next.command.id })
    expect(same).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining('already') } })
  })

  test('refuses an issue that a colleague settled meanwhile', async ({ operator, admin, lost }) => {
    const [typed, id, turn] = [await lost('garble'), randomUUID(), Promise.withResolvers<void>()]
    const busy = inTurn(operator.actor, () => turn.promise)
    const registering = recordAtOnce(operator, cardRegister, typed, { id })
    await eventually(() => expect(isBeingSent(id)).toBe(true))
    await settleByHand(admin, typed.issueId, { happened: false, why: 'The holder has no card.' })
    turn.resolve()
    await busy
    expect(await registering).toMatchObject({
      command: { outcome: { class: 'refused', title: 'The issue was settled meanwhile' } },
    })
    expect(await findCommand(await store(), typed.issueId)).toMatchObject({ state: 'not_applied' })
    expect(await findIssuedCard(await store(), typed.cardId)).toBeUndefined()
  })

  test('refuses the holder of the card', async ({ service, operator, admin, issueCard }) => {
    await service.fault('POST', ISSUE, 'drop-after')
    const { command } = await issueCard({ ...NEW_CARD, userId: OPERATOR }, admin)
    const typed = { issueId: command.id, cardId: ANA, last4: '1234', why: 'seen in the app' }
    const drafted = await draftOf(operator, 'card.register', typed)
    expect(drafted).toMatchObject({ ok: false, fields: { cardId: PARTY_FAULT } })
    expect(await draftOf(admin, 'card.register', typed)).toMatchObject({ ok: true })
  })

  test('of an unknown issue is not found, without scope refused', async ({ service, operator, viewer, lost }) => {
    const typed = await lost('drop-after')
    for (const [session, issueId, status] of [
      [operator, 'nothing', 404],
      [viewer, typed.issueId, 403],
      [await signedInUnread(service, 'operator@example.com'), typed.issueId, 403],
    ] as const) {
      const drafted = await draftOf(session, 'card.register', { ...typed, issueId })
      expect(drafted).toMatchObject({ ok: false, problem: { status } })
    }
  })

  test('one that was blocked by its id before comes onto the register as blocked', async ({ operator, lost }) => {
    const typed = await lost('drop-after')
    await runCommand(operator, 'card.block', { cardId: typed.cardId, last4: '', reason: 'must not be used' })
    await runCommand(operator, 'card.register', typed)
    expect(await findIssuedCard(await store(), typed.cardId)).toMatchObject({ block_reason: 'must not be used' })
  })
})
