import { describe, expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { reviewOpenRequests } from '#lib/commands/policy/open-requests.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { readUnsentText, saveUnsentText } from '#lib/session/unsent-text.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { decide, stateOf as stateOfChange } from '#lib/testing/approval-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { REVERSAL_LINE } from './resolution.ts'

const RESOLVE = '/api/v1/Transaction/dispute/resolve'
const BEN = '00000000-0000-4000-8000-000000000012'

const test = serviceTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  /** What Ana paid Ben is disputed, and no case is about it. */
  .extend('disputedWithoutCase', ({ service }) => async (): Promise<string> => {
    const { accessToken } = await service.login('ana@example.com')
    const transfer = { recipientId: BEN, amount: 20, useEscrow: true }
    const { data } = await service.call('POST', '/api/v1/Transaction/p2p', { token: accessToken, body: transfer })
    const referenceId = String(data?.referenceId)
    await service.call('POST', '/sandbox/transactions', { body: { referenceId, move: 'dispute' } })
    return referenceId
  })
  .extend('stateOf', ({ service }) => async (referenceId: string): Promise<string> => {
    const { accessToken } = await service.login('newcomer@example.com')
    const path = `/api/v1/Transaction/${encodeURIComponent(referenceId)}`
    return String((await service.call('GET', path, { token: accessToken })).data?.state)
  })

const inputOf = (referenceId: string, decision: 'refund' | 'release' = 'refund') => ({
  referenceId,
  decision,
  reason: 'Both sides agree by phone.',
})

test('a refund settles the transaction and names the reversing one', async ({
  newcomer,
  disputedWithoutCase,
  stateOf,
}) => {
  const referenceId = await disputedWithoutCase()
  const { command } = await runCommand(newcomer, 'transaction.resolve', inputOf(referenceId))
  const { outcome } = command
  const line = outcome.class === 'done' ? outcome.lines.find(({ label }) => label === REVERSAL_LINE) : undefined
  expect(line).toMatchObject({ as: 'reference', value: expect.stringMatching(/^REV/) })
  expect(await stateOf(referenceId)).toBe('PROCESSED')
})

test('removes its reason from unsent texts', async ({ newcomer, disputedWithoutCase }) => {
  const input = inputOf(await disputedWithoutCase())
  const place = reasonPlace(input.referenceId)
  await saveUnsentText(newcomer, place, { text: input.reason, page: '1', number: 1, base: 0 })
  await runCommand(newcomer, 'transaction.resolve', input)
  expect((await readUnsentText(newcomer, place)).text).toBe('')
})

test('says before a refund that the recipient gets nothing', async ({ newcomer, disputedWithoutCase }) => {
  const reply = await draftOf(newcomer, 'transaction.resolve', inputOf(await disputedWithoutCase()))
  expect(reply).toMatchObject({
    draft: { lines: expect.arrayContaining([{ label: 'Recipient gets', value: 'nothing', as: 'text' }]) },
  })
})

test.for(['refund', 'release'] as const)(
  'a %s whose answer is lost stays not known: who decided it the service does not tell. Sent once',
  async (decision, { service, newcomer, disputedWithoutCase }) => {
    const referenceId = await disputedWithoutCase()
    const before = await service.arrived('POST', RESOLVE)
    await service.fault('POST', RESOLVE, 'drop-after')
    const { command } = await runCommand(newcomer, 'transaction.resolve', inputOf(referenceId, decision))
    expect(command.outcome.class).toBe('unknown')
    const row = await findCommand(await store(), command.id)
    expect(row && (await reconcileCommand(newcomer, row)).command.state).toBe('unknown')
    expect(await service.arrived('POST', RESOLVE)).toBe(before + 1)
  },
)

test.for([
  ['refund', true],
  ['refund', false],
  ['release', true],
  ['release', false],
] as const)(
  'a %s that did not arrive is not told as applied when somebody else decides (releases: %s)',
  async ([decision, releaseToRecipient], { service, newcomer, disputedWithoutCase }) => {
    const referenceId = await disputedWithoutCase()
    await service.fault('POST', RESOLVE, 'drop-before')
    const { command } = await runCommand(newcomer, 'transaction.resolve', inputOf(referenceId, decision))
    const { accessToken } = await service.login('newcomer@example.com')
    const body = { referenceId, releaseToRecipient, resolutionReason: 'Delivered.' }
    await service.call('POST', RESOLVE, { token: accessToken, body })
    const row = await findCommand(await store(), command.id)
    expect(row && (await reconcileCommand(newcomer, row)).command.state).toBe('unknown')
  },
)

test('where a case exists, it is decided there', async ({ service, newcomer }) => {
  const { referenceId } = await raiseCase(service)
  expect(await draftOf(newcomer, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    fields: { referenceId: 'It has a case. Resolve the case instead.' },
  })
})

test('where the list of cases is not whole, nothing is decided', async ({ service, newcomer, disputedWithoutCase }) => {
  const referenceId = await disputedWithoutCase()
  await service.fault('GET', '/api/v1/Dispute', { status: 503 }, 20)
  expect(await draftOf(newcomer, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    fields: { referenceId: expect.stringContaining('that needs the full case list') },
  })
})

test('one who sees their own cases only decides nothing', async ({ service, disputedWithoutCase }) => {
  const referenceId = await disputedWithoutCase()
  const clerk = await signedIn(service, 'operator@example.com', '00000000-0000-4000-8000-000000000001')
  expect(await draftOf(clerk, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    problem: { status: 403, scope: 'core:disputes:resolve' },
  })
  const unknown = await signedInUnread(service, 'operator@example.com')
  expect(await draftOf(unknown, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    fields: { referenceId: expect.stringContaining('that needs the full case list') },
  })
})

test('refuses a decision by the recipient', async ({ service, disputedWithoutCase }) => {
  const recipient = await signedIn(service, 'newcomer@example.com', BEN.toUpperCase())
  const referenceId = await disputedWithoutCase()
  // Without known scopes the console asks the service, which knows this session as the newcomer.
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 500 })
  expect(await draftOf(recipient, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    fields: { decision: 'You are a party to this transaction. Someone else must resolve it.' },
  })
})

test('what is not disputed is not decided', async ({ service, newcomer }) => {
  const referenceId = await service.announceDeposit('10')
  expect(await draftOf(newcomer, 'transaction.resolve', inputOf(referenceId))).toMatchObject({
    ok: false,
    fields: { referenceId: expect.stringContaining('Only a disputed transaction can be resolved.') },
  })
})

describe('a request stays while the case list cannot be read', () => {
  const waiting = test
    .extend('rules', [{ kind: 'transaction.resolve', approval: { by: 1 } }])
    .extend('requested', async ({ newcomer, disputedWithoutCase }): Promise<string> => {
      const drafted = await draftOf(newcomer, 'transaction.resolve', inputOf(await disputedWithoutCase()))
      if (!drafted.ok) throw new Error(JSON.stringify(drafted))
      await askForApproval(newcomer, drafted.draft.id, { reason: 'Both sides wrote to us.', proof: null })
      return drafted.draft.id
    })
    .extend(
      'listFails',
      ({ service }) =>
        () =>
          service.fault('GET', '/api/v1/Dispute', { status: 503 }, 50),
    )

  waiting('on review', async ({ arbitrator, requested, listFails }) => {
    await listFails()
    await reviewOpenRequests(new Set([arbitrator]))
    expect(await stateOfChange(requested)).toBe('awaiting_approval')
  })

  waiting('on approval', async ({ arbitrator, requested, listFails }) => {
    await listFails()
    expect(await decide(arbitrator, requested)).toMatchObject({
      ok: false,
      problem: { status: 409, title: expect.stringContaining('could not be read') },
    })
    expect(await stateOfChange(requested)).toBe('awaiting_approval')
  })

  waiting('of an approver without admin view', async ({ service, requested }) => {
    const approver = await signedIn(service, 'operator@example.com', userIdOf('2'))
    expect(await decide(approver, requested)).toMatchObject({
      ok: false,
      problem: { status: 403, title: expect.stringContaining('It needs the full case list, read as admin') },
    })
    expect(await stateOfChange(requested)).toBe('awaiting_approval')
  })

  waiting('on sending', async ({ service, newcomer, arbitrator, requested, listFails }) => {
    await decide(arbitrator, requested)
    await listFails()
    const [fresh, before] = [
      await signedIn(service, 'newcomer@example.com', newcomer.userId),
      await service.arrived('POST', RESOLVE),
    ]
    const reply = await executeCommand(fresh, requested, { code: null, proof: null }, () => {})
    expect(reply).toMatchObject({
      ok: true,
      command: {
        outcome: { sent: false, title: expect.stringContaining('not known whether it has a case. The list') },
      },
    })
    expect(await service.arrived('POST', RESOLVE)).toBe(before)
    expect(await stateOfChange(requested)).toBe('awaiting_approval')
  })
})
