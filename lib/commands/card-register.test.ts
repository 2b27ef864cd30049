import { beforeEach, describe, expect, test } from 'vitest'
import { findEvents } from '#lib/store/command-lists.ts'
import { findCommand, holderOf } from '#lib/store/commands.ts'
import { findIssuedCard } from '#lib/store/issued-cards.ts'
import { store } from '#lib/store/store.ts'
import { ANA, type CardWorld, cardWorld, ISSUE, OPERATOR } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'

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
      const told = await lost(effect)
      const sent = await world.service.arrived('POST', ISSUE)
      const { command } = await runCommand(world.operator, 'card.register', told)
      expect(command.outcome.class).toBe('done')
      const db = await store()
      expect(await findIssuedCard(db, told.cardId)).toMatchObject({
        last4: told.last4,
        user_id: ANA,
        printed_name: 'Ana Alvarez',
        came: 'registered',
        issuer: `sso:${OPERATOR}`,
        recorded_by: 'operator@example.com',
        command_id: told.issueId,
      })
      expect(await findCommand(db, told.issueId)).toMatchObject({ state: 'applied' })
      expect(await holderOf(db, `issue:${ANA}`)).toBeNull()
      expect((await findEvents(db, told.issueId)).at(-1)?.body).toContain(told.why)
      expect(await world.service.arrived('POST', ISSUE)).toBe(sent)
    },
  )

  test('another one of the same issue, or the same card again, is refused', async () => {
    const told = await lost('garble')
    await runCommand(world.operator, 'card.register', told)
    const other = await draftOf(world.operator, 'card.register', { ...told, cardId: OPERATOR })
    expect(other).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining(`ends ${told.last4}`) } })
    await world.service.fault('POST', ISSUE, 'garble')
    const next = await world.issue()
    const same = await draftOf(world.operator, 'card.register', { ...told, issueId: next.command.id })
    expect(same).toMatchObject({ ok: false, fields: { cardId: expect.stringContaining('already') } })
  })

  test('of nothing that was issued is not found; by somebody who is not known to issue cards it is refused', async () => {
    const told = await lost('drop-after')
    for (const [session, issueId, status] of [
      [world.operator, 'nothing', 404],
      [world.viewer, told.issueId, 403],
      [await signedInUnread(world.service, 'operator@example.com'), told.issueId, 403],
    ] as const) {
      const drafted = await draftOf(session, 'card.register', { ...told, issueId })
      expect(drafted).toMatchObject({ ok: false, problem: { status } })
    }
  })

  test('one that was blocked by its id before comes onto the register as blocked', async () => {
    const told = await lost('drop-after')
    await runCommand(world.operator, 'card.block', { cardId: told.cardId, last4: '', reason: 'must not be used' })
    await runCommand(world.operator, 'card.register', told)
    expect(await findIssuedCard(await store(), told.cardId)).toMatchObject({ block_reason: 'must not be used' })
  })
})
