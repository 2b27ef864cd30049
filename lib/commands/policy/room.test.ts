import { describe, expect } from 'vitest'
import type { CommandKindName } from '#lib/kind-names.ts'
import { store } from '#lib/store/store.ts'
import { draftDeposit } from '#lib/testing/approval-world.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { executeForTest } from '#lib/testing/gated-deposit.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { amountsBeyondLimit, readRoom } from './room.ts'

const test = serviceTest
  .extend('confirm', ({ service, operator }) => async (amount: string): Promise<void> => {
    const { id } = await draftDeposit(service, operator, amount)
    await executeForTest(operator, id)
  })
  .extend('sentences', ({ operator }) => async (kind: CommandKindName, amount?: string | null, by = operator) => {
    return (await readRoom(by, amount === undefined ? { kind } : { kind, amount }))?.map(({ sentence }) => sentence)
  })

const SUM = { kind: 'deposit.confirm', limit: { sum: '1000' } }

describe('what a limit leaves, before a form is filled', () => {
  test('is nothing to say where no limit applies', async ({ sentences }) => {
    underPolicy({ kind: 'deposit.confirm', approval: { by: 1 } }, { kind: 'card.issue', limit: { count: 1 } })
    expect(await sentences('deposit.confirm', '100')).toEqual([])
  })

  test('says what remains where the amount fits', async ({ confirm, sentences }) => {
    underPolicy(SUM)
    await confirm('300')
    const words = 'You may confirm 700.00 BZD more (limit 1,000.00 BZD in 24 hours).'
    expect(await sentences('deposit.confirm', '700')).toEqual([words])
    expect(await sentences('deposit.confirm')).toEqual([words])
  })

  test('says at once that the amount does not fit, and what to do', async ({ confirm, sentences }) => {
    underPolicy(SUM)
    await confirm('300')
    const room = 'Over your limit. You may confirm 700.00 BZD more (limit 1,000.00 BZD in 24 hours).'
    expect(await sentences('deposit.confirm', '700.01')).toEqual([
      expect.stringMatching(`^${room.replace(/[().]/g, '\\$&')} It fits from 20\\d\\d-.+ UTC\\.$`),
    ])
    const never = 'This change can never fit the limit. Ask your administrator.'
    expect(await sentences('deposit.confirm', '1000.01')).toEqual([`${room} ${never}`])
    expect(await sentences('deposit.confirm', null)).toEqual([`${room} ${never}`])
    underPolicy({ ...SUM, approval: { by: 1 } })
    expect(await sentences('deposit.confirm', '701')).toEqual([
      `${room} It needs approval: ask for it when you confirm.`,
    ])
  })

  test('counts changes, and says when none is left', async ({ confirm, sentences }) => {
    underPolicy(
      { kind: 'deposit.confirm', limit: { sum: '1000', count: 2 } },
      { kind: 'card.issue', limit: { count: 3 } },
    )
    expect(await sentences('card.issue')).toEqual(['You may issue 3 more (limit 3 changes in 24 hours).'])
    await confirm('300')
    expect(await sentences('deposit.confirm', '10')).toEqual([
      'You may confirm 700.00 BZD more, in 1 change at most (limit 1,000.00 BZD and 2 changes in 24 hours).',
    ])
    await confirm('1')
    expect(await sentences('deposit.confirm')).toEqual([
      expect.stringMatching(/^Over your limit\. .*in 0 changes at most/),
    ])
  })

  test('says it for each decision that a limit names', async ({ service, sentences }) => {
    const refunds = { kind: 'dispute.resolve', when: { decision: 'refund', amountAtLeast: '50' }, limit: { sum: '80' } }
    underPolicy(refunds)
    const arbitrator = await signedIn(service, 'arbitrator@example.com', '00000000-0000-4000-8000-000000000002')
    const of = async (amount: string) => (await readRoom(arbitrator, { kind: 'dispute.resolve', amount }))?.length
    expect([await of('49'), await of('50')]).toEqual([0, 1])
    expect(await sentences('dispute.resolve', '90', arbitrator)).toEqual([
      'Over your limit for refunds of 50.00 BZD or more. You may resolve 80.00 BZD more (limit 80.00 BZD in 24 hours). This change can never fit the limit. Ask your administrator.',
    ])
  })

  test('says nothing to a person without the scope', async ({ service, sentences }) => {
    underPolicy(SUM)
    const viewer = await signedIn(service, 'viewer@example.com', '00000000-0000-4000-8000-000000000004')
    expect(await sentences('deposit.confirm', '5', viewer)).toEqual([])
  })

  test('a limit that cannot be read is not taken for none', async ({ operator }) => {
    underPolicy(SUM)
    await readRoom(operator, { kind: 'deposit.confirm' })
    const { failing, remove } = await FailingStore.install()
    let read: unknown = 'not read'
    await failing.live(1, 'before', async () => {
      read = await readRoom(operator, { kind: 'deposit.confirm', amount: '5' })
    })
    remove()
    expect(read).toBeNull()
  })

  test('is the decision of the gate', async ({ service, operator, confirm }) => {
    underPolicy(SUM)
    await confirm('300')
    for (const amount of ['700', '700.01']) {
      const before = await readRoom(operator, { kind: 'deposit.confirm', amount })
      const { id } = await draftDeposit(service, operator, amount)
      const { command } = await executeForTest(operator, id)
      expect(command.outcome.class === 'done').toBe(before?.every(({ beyond }) => beyond === null))
    }
  })
})

test('of the amounts of a page, those beyond a limit are marked', async ({ operator, confirm }) => {
  underPolicy(SUM, { kind: 'deposit.confirm', when: { amountAtLeast: '500' }, limit: { count: 1 } })
  await confirm('500')
  const beyond = async (...amounts: string[]) => [
    ...(await amountsBeyondLimit(await store(), operator, 'deposit.confirm', amounts)),
  ]
  expect(await beyond('499', '500', '501')).toEqual(['501', '500'])
  expect(await beyond()).toEqual([])
})
