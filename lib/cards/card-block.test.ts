import { describe, expect } from 'vitest'
import { outcomeOf } from '#lib/commands/outcome.ts'
import { settleByHand } from '#lib/commands/settle.ts'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { BLOCK, ISSUE, NEW_CARD, OPERATOR, cardTest as test } from '#lib/testing/card-world.ts'
import { draftOf, runCommand, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { findIssuedCard } from './issued-cards.ts'

describe('blocking a card', () => {
  test('that the register knows takes its last four digits, and is noted there', async ({
    operator,
    issuedCard,
    cardsOfAna,
  }) => {
    const card = await issuedCard()
    for (const last4 of ['', card.last4 === '0000' ? '0001' : '0000']) {
      const drafted = await draftOf(operator, 'card.block', { cardId: card.id, last4, reason: 'stolen' })
      expect(drafted.ok ? [] : Object.keys(drafted.fields)).toEqual(['last4'])
    }
    const { command } = await runCommand(operator, 'card.block', {
      cardId: card.id,
      last4: card.last4,
      reason: 'stolen',
    })
    expect(command.outcome.class).toBe('done')
    expect(await findIssuedCard(await store(), card.id)).toMatchObject({
      blocked_by: 'operator@example.com',
      block_reason: 'stolen',
    })
    expect((await cardsOfAna()).find(({ id }) => id === card.id)?.status).toBe('BLOCKED')
  })

  test.for(['', '0000'])(
    'that the register does not know is stopped by no digits: %j',
    async (last4, { service, operator, cardsOfAna }) => {
      const { accessToken } = await service.login('operator@example.com')
      const body = { ...NEW_CARD, cardType: 1 }
      const { data } = await service.call('POST', ISSUE, { token: accessToken, body })
      const cardId = String(data?.id)
      const { command } = await runCommand(operator, 'card.block', { cardId, last4, reason: 'stolen' })
      expect(command.outcome.class).toBe('done')
      expect((await cardsOfAna()).find(({ id }) => id === cardId)?.status).toBe('BLOCKED')
    },
  )

  test('is not stopped by digits that its holder read out', async ({ service, operator, issueCard }) => {
    await service.fault('POST', ISSUE, 'drop-after')
    const { command } = await issueCard()
    const [cardId, reason] = [OPERATOR, 'stolen']
    const typed = { issueId: command.id, cardId, last4: '1243', why: 'read out by phone' }
    await runCommand(operator, 'card.register', typed)
    for (const [last4, warning] of [
      ['1234', 'The register has 1243, as the holder read it out. Check the card id.'],
      ['1243', null],
    ] as const) {
      expect(await draftOf(operator, 'card.block', { cardId, last4, reason })).toMatchObject({
        ok: true,
        draft: { warning },
      })
    }
  })

  test('that is blocked already is refused, and nobody knows of one that is not there', async ({
    operator,
    issuedCard,
  }) => {
    const card = await issuedCard()
    const params = { cardId: card.id, last4: card.last4, reason: 'stolen' }
    await runCommand(operator, 'card.block', params)
    const drafted = await draftOf(operator, 'card.block', params)
    expect(drafted).toMatchObject({ ok: true, draft: { warning: expect.stringContaining('already blocked') } })
    const again = await runCommand(operator, 'card.block', params)
    expect(again.command.outcome).toMatchObject({
      class: 'refused',
      problem: { status: 409, code: 'core::tessera::request::invalid' },
    })
    const nobodys = await runCommand(operator, 'card.block', { ...params, cardId: OPERATOR, last4: '' })
    expect(nobodys.command.outcome).toMatchObject({ class: 'refused', problem: { code: 'core::tessera::not_found' } })
  })

  test.for([
    [true, 'stolen'],
    [false, null],
  ] as const)(
    'whose answer is lost is settled by a person: happened %s',
    async ([happened, reason], { service, operator, issuedCard }) => {
      const card = await issuedCard()
      const params = { cardId: card.id, last4: card.last4, reason: 'stolen' }
      await service.fault('POST', BLOCK, 'drop-after')
      const { command } = await runCommand(operator, 'card.block', params)
      expect(command.outcome.class).toBe('unknown')
      expect((await draftOf(operator, 'card.block', params)).ok).toBe(false)
      await settleByHand(operator, command.id, { happened, why: 'the holder looked' })
      expect((await findIssuedCard(await store(), card.id))?.block_reason).toBe(reason)
      expect((await draftOf(operator, 'card.block', params)).ok).toBe(true)
    },
  )
})

test.for(['card.block', 'card.issue'] as const)(
  'a %s that is accepted is not known: nobody can read how it goes on',
  async (name, { issueCard }) => {
    const { command } = await issueCard()
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
