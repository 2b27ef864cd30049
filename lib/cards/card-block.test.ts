import { beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf } from '#lib/commands/outcome.ts'
import { settleByHand } from '#lib/commands/settle.ts'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { BLOCK, type CardWorld, cardWorld, ISSUE, NEW_CARD, OPERATOR } from '#lib/testing/card-world.ts'
import { draftOf, runCommand, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { findIssuedCard } from './issued-cards.ts'

let world: CardWorld

beforeEach(async () => {
  world = await cardWorld()
})

describe('blocking a card', () => {
  test('that the register knows takes its last four digits, and is noted there', async () => {
    const card = await world.issued()
    for (const last4 of ['', card.last4 === '0000' ? '0001' : '0000']) {
      const drafted = await draftOf(world.operator, 'card.block', { cardId: card.id, last4, reason: 'stolen' })
      expect(drafted.ok ? [] : Object.keys(drafted.fields)).toEqual(['last4'])
    }
    const { command } = await runCommand(world.operator, 'card.block', {
      cardId: card.id,
      last4: card.last4,
      reason: 'stolen',
    })
    expect(command.outcome.class).toBe('done')
    expect(await findIssuedCard(await store(), card.id)).toMatchObject({
      blocked_by: 'operator@example.com',
      block_reason: 'stolen',
    })
    expect((await world.cardsOfAna()).find(({ id }) => id === card.id)?.status).toBe('BLOCKED')
  })

  test.each(['', '0000'])('that the register does not know is stopped by no digits: %j', async (last4) => {
    const { accessToken } = await world.service.login('operator@example.com')
    const body = { ...NEW_CARD, cardType: 1 }
    const { data } = await world.service.call('POST', ISSUE, { token: accessToken, body })
    const cardId = String(data?.id)
    const { command } = await runCommand(world.operator, 'card.block', { cardId, last4, reason: 'stolen' })
    expect(command.outcome.class).toBe('done')
    expect((await world.cardsOfAna()).find(({ id }) => id === cardId)?.status).toBe('BLOCKED')
  })

  test('that is blocked already is refused, and nobody knows of one that is not there', async () => {
    const card = await world.issued()
    const params = { cardId: card.id, last4: card.last4, reason: 'stolen' }
    await runCommand(world.operator, 'card.block', params)
    const drafted = await draftOf(world.operator, 'card.block', params)
    expect(drafted).toMatchObject({ ok: true, draft: { warning: expect.stringContaining('already blocked') } })
    const again = await runCommand(world.operator, 'card.block', params)
    expect(again.command.outcome).toMatchObject({
      class: 'refused',
      problem: { status: 409, code: 'core::tessera::request::invalid' },
    })
    const nobodys = await runCommand(world.operator, 'card.block', { ...params, cardId: OPERATOR, last4: '' })
    expect(nobodys.command.outcome).toMatchObject({ class: 'refused', problem: { code: 'core::tessera::not_found' } })
  })

  test.each([
    [true, 'stolen'],
    [false, null],
  ])('whose answer is lost is settled by a person: happened %s', async (happened, reason) => {
    const card = await world.issued()
    const params = { cardId: card.id, last4: card.last4, reason: 'stolen' }
    await world.service.fault('POST', BLOCK, 'drop-after')
    const { command } = await runCommand(world.operator, 'card.block', params)
    expect(command.outcome.class).toBe('unknown')
    expect((await draftOf(world.operator, 'card.block', params)).ok).toBe(false)
    await settleByHand(world.operator, command.id, { happened, why: 'the holder looked' })
    expect((await findIssuedCard(await store(), card.id))?.block_reason).toBe(reason)
    expect((await draftOf(world.operator, 'card.block', params)).ok).toBe(true)
  })
})

test.each(['card.block', 'card.issue'] as const)(
  'a %s that is accepted is not known: nobody can read how it goes on',
  async (name) => {
    const { command } = await world.issue()
    const row = await findCommand(await store(), command.id)
    if (row === undefined) throw new Error('the command is gone')
    const accepted = {
      kind: 'answer',
      status: 202,
      serviceTime: null,
      traceId: null,
      data: null,
      problem: null,
    } as const
    expect(outcomeOf(serviceKindOrFail(name), row, accepted, false)).toMatchObject({
      state: 'unknown',
      outcome: { class: 'unknown' },
    })
  },
)
