import { beforeEach, describe, expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import { bodiesOf, decide, stateOf } from '#lib/testing/approval-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { LOOKS_OVER_SECONDS, openDeposit as openDepositOf } from '#lib/testing/open-deposit.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { type AnyRecordCommand, commandNamed } from './kind.ts'
import { askForApproval } from './policy/approvals.ts'
import { watches } from './reconcile-schedule.ts'
import { settleByHand } from './settle.ts'
import { viewOf, wholeViewFor } from './view.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const WHY = 'The bank says so'

const test = serviceTest
  .extend('openDeposit', ({ service, operator }) => (amount: string, holder?: string) => {
    return openDepositOf(service, operator, amount, holder)
  })
  .extend('ask', ({ operator }) => (id: string) => {
    return askForApproval(operator, id, { reason: WHY, proof: null })
  })

beforeEach(() => watches().clear())

const settleAsOf = async (id: string) => viewOf(await commandOrFail(id)).settleAs
const drafted = (by: Session, id: string, happened: boolean) =>
  draftForTest(by, 'deposit.settle', { id, happened, why: WHY })

describe('where the policy has rules for it, settling by hand is a change of its own', () => {
  test('which others approve, and which is then recorded by the word of its author', async ({
    operator,
    admin,
    openDeposit,
    ask,
  }) => {
    underPolicy({ kind: 'deposit.settle', approval: { by: 1 } })
    const id = await openDeposit('50')
    expect(await settleAsOf(id)).toBe('deposit.settle')
    expect(await settleByHand(operator, id, { happened: false, why: WHY })).toMatchObject({
      ok: false,
      problem: { status: 409 },
    })
    const settling = await drafted(operator, id, false)
    expect((await executeForTest(operator, settling)).command.outcome).toMatchObject({ class: 'refused', sent: false })
    const again = await drafted(operator, id, false)
    await ask(again)
    expect(await decide(operator, again)).toMatchObject({ ok: false, problem: { status: 403 } })
    await decide(admin, again)
    expect(await stateOf(id)).toBe('unknown')
    expect((await executeForTest(operator, again)).command.outcome.class).toBe('done')
    expect(await stateOf(id)).toBe('not_applied')
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ answer: 'by hand', by: operator.actor, why: WHY })
  })

  test('and what the service shows outranks the word', async ({ service, operator }) => {
    underPolicy({ kind: 'deposit.settle', limit: { count: 5 } })
    const referenceId = await service.announceDeposit('51')
    const params = { referenceId, bankReference: `B ${referenceId}`, statementAmount: '51' }
    await service.fault('POST', CONFIRM, 'drop-after')
    const id = await draftForTest(operator, 'deposit.confirm', params)
    await executeForTest(operator, id)
    await sentSecondsAgo(id, LOOKS_OVER_SECONDS)
    const settling = await drafted(operator, id, false)
    const { outcome } = (await executeForTest(operator, settling)).command
    expect(outcome).toMatchObject({ class: 'refused', title: 'It was not recorded' })
    expect(await stateOf(id)).toBe('applied')
  })

  test('records nothing while the service cannot be read', async ({ service, operator, openDeposit }) => {
    underPolicy({ kind: 'deposit.settle', limit: { count: 5 } })
    const id = await openDeposit('53')
    const settling = await drafted(operator, id, false)
    await service.fault('GET', '/api/v1/Transaction/{referenceId}', { status: 500 }, 9)
    const { outcome } = (await executeForTest(operator, settling)).command
    await service.clearFaults()
    expect(outcome).toMatchObject({ class: 'refused', title: 'It was not recorded' })
    expect(await stateOf(id)).toBe('unknown')
  })

  test('records nothing once someone else has settled it', async ({ operator, openDeposit }) => {
    const params = { id: await openDeposit('54'), happened: false, why: WHY }
    await settleByHand(operator, params.id, params)
    const { actor, displayName: actorName } = operator
    const act = { commandId: '', actor, actorName, params, facts: {} }
    const kind = commandNamed('deposit.settle') as AnyRecordCommand
    const refusal = await inTransaction(await store(), (trx) => kind.checkUnderLock!(trx, act))
    expect(refusal).toMatchObject({ title: 'It was not recorded' })
  })

  test('settles no change of another kind', async ({ admin, openDeposit }) => {
    const params = { id: await openDeposit('55'), happened: false, why: WHY }
    await expect(draftForTest(admin, 'dispute.settle', params)).rejects.toThrow('no longer needs a person')
  })

  test('says before it what its limits leave', async ({ operator, openDeposit }) => {
    underPolicy({ kind: 'deposit.settle', limit: { sum: '50' } })
    const [small, large] = [await openDeposit('50'), await openDeposit('51', 'admin@example.com')]
    const roomFor = async (id: string) => (await wholeViewFor(operator, await commandOrFail(id))).settleRoom
    expect(await roomFor(small)).toEqual([
      { sentence: 'You may settle 50.00 BZD more (limit 50.00 BZD in 24 hours).', beyond: null },
    ])
    expect(await roomFor(large)).toMatchObject([{ sentence: expect.stringMatching(/^Over your limit\./) }])
  })

  test('is refused for a change altered in the store', async ({ operator, openDeposit }) => {
    underPolicy({ kind: 'deposit.settle', when: { amountAtLeast: '100.00' }, approval: { by: 1 } })
    const id = await openDeposit('9001')
    const { facts } = await commandOrFail(id)
    await (await store())
      .updateTable('command')
      .set({ facts: facts.replaceAll('9001', '1') })
      .where('id', '=', id)
      .execute()
    await expect(drafted(operator, id, false)).rejects.toThrow('altered in the database')
  })

  test('by its amount, and by the same people as the change itself', async ({
    service,
    operator,
    admin,
    openDeposit,
    ask,
  }) => {
    underPolicy({ kind: 'deposit.settle', when: { amountAtLeast: '100.00' }, approval: { by: 1 } })
    const [small, large] = [await openDeposit('99'), await openDeposit('100', 'admin@example.com')]
    expect((await executeForTest(operator, await drafted(operator, small, false))).command.outcome.class).toBe('done')
    expect(await stateOf(small)).toBe('not_applied')
    await expect(drafted(admin, large, false)).rejects.toThrow('You are a party')
    const settling = await drafted(operator, large, true)
    await ask(settling)
    expect(await decide(admin, settling)).toMatchObject({ problem: { title: expect.stringContaining('a party') } })
    const arbitrator = await signedIn(service, 'arbitrator@example.com', '00000000-0000-4000-8000-000000000002')
    expect(await decide(arbitrator, settling)).toMatchObject({ ok: false, problem: { status: 404 } })
    await expect(drafted(arbitrator, large, true)).rejects.toThrow('core:transactions:confirm')
  })
})

test('without such a rule it is settled at once, as before', async ({ operator, openDeposit }) => {
  underPolicy({ kind: 'deposit.confirm', limit: { count: 500 } })
  const id = await openDeposit('52')
  expect(await settleAsOf(id)).toBeNull()
  expect(await settleByHand(operator, id, { happened: false, why: WHY })).toMatchObject({ ok: true })
  expect(await stateOf(id)).toBe('not_applied')
})
