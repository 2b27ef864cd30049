import { beforeEach, describe, expect, test } from 'vitest'
import { holderOf } from '#lib/commands/locks.ts'
import { findCommand } from '#lib/commands/store.ts'
import { findEvents } from '#lib/journal/event.ts'
import { store } from '#lib/store/store.ts'
import { ANA, type CardWorld, cardWorld, ISSUE, OPERATOR } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'
import { findIssuedCard } from './issued-cards.ts'

let world: CardWorld

beforeEach(async () => {
  world = await cardWorld()
})

describe('registering a card whose answer was lost', () => {
  async function lost(effect: 'drop-after' | 'garble') {
    const before = (await world.cardsOfAna()).map(({ id }) => id)
    await world.service.fault('POST', ISSUE, effect)
    const { command } = await world.issue()
    const newest = (await world.cardsOfAna()).find(({ id }) => !before.includes(id))
    if (newest === undefined) throw new Error('the service has no new card')
    return { issueId: command.id, cardId: newest.id, last4: newest.last4, why: 'read out by the holder by phone' }
  }

  test.each(['drop-after', 'garble'] as const)(
    '%s: it stands on the register, and its issue is settled',
    async (effect) => {
      const typed = await lost(effect)
      const sent = await world.service.arrived('POST', ISSUE)
      const { command } = await runCommand(world.operator, 'card.register', typed)
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
      expect(await world.service.arrived('POST', ISSUE)).toBe(sent)
    },
  )

  test('another one of the same issue, or the same card again, is refused', async () => {
    const typed = await lost('garble')
    await runCommand(world.operator, 'card.register', typed)
    const other = await draftOf(world.operator, 'card.register', { ...typed, cardId: OPERATOR })
    expect(other).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining(`ending ${typed.last4}`) } })
    await world.service.fault('POST', ISSUE, 'garble')
    const next = await world.issue()
    const same = await draftOf(world.operator, 'card.register', { ...typed, issueId: next.command.id })
    expect(same).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining('already') } })
  })

  test('of an unknown issue is not found, without scope refused', async () => {
    const typed = await lost('drop-after')
    for (const [session, issueId, status] of [
      [world.operator, 'nothing', 404],
      [world.viewer, typed.issueId, 403],
      [await signedInUnread(world.service, 'operator@example.com'), typed.issueId, 403],
    ] as const) {
      const drafted = await draftOf(session, 'card.register', { ...typed, issueId })
      expect(drafted).toMatchObject({ ok: false, problem: { status } })
    }
  })

  test('one that was blocked by its id before comes onto the register as blocked', async () => {
    const typed = await lost('drop-after')
    await runCommand(world.operator, 'card.block', { cardId: typed.cardId, last4: '', reason: 'must not be used' })
    await runCommand(world.operator, 'card.register', typed)
    expect(await findIssuedCard(await store(), typed.cardId)).toMatchObject({ block_reason: 'must not be used' })
  })
})
