import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CommandView } from '#lib/commands/command.ts'
import { describeResolution } from '#lib/disputes/decision.ts'
import { type KnownReversal, knownReversal } from '#lib/disputes/resolution.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { DisputeSection, readDispute, readReversal, SettledWords, type TransactionDispute } from './dispute-section.tsx'
import { ResolveDispute } from './resolve-dispute.tsx'

const disputed = { fromAccountId: 'sender', toAccountId: 'recipient', debit: '20', credit: '20' }
const access = { roles: [], scopes: null } as unknown as TransactionDispute['access']

const refund = (reversal: string | null) =>
  ({
    outcome: {
      class: 'done',
      ...describeResolution({ referenceId: 'X-1', decision: 'refund', reason: 'Agreed.' }, disputed, reversal),
    },
  }) as CommandView

const htmlOf = async (
  dispute: Omit<TransactionDispute, 'access'>,
  seen: readonly string[] = [],
  reversal: KnownReversal = knownReversal(dispute.latest),
) =>
  renderToStaticMarkup(
    await SettledWords({
      dispute: Promise.resolve({ access, ...dispute }),
      reversal: Promise.resolve(reversal),
      seen: seen.map((state) => ({ state })),
    }),
  )

test('never says that a refunded recipient can spend the funds', async () => {
  const found = { kind: 'case', caseId: 'c-1' } as const
  const html = await htmlOf({ found, latest: refund('REV-1') })
  expect(html).toContain('The sender was refunded')
  expect(html).toContain('href="/transactions/REV-1"')
  expect(await htmlOf({ found, latest: refund(null) })).not.toContain('can spend')
  expect(await htmlOf({ found, latest: null })).not.toContain('can spend')
  expect(await htmlOf({ found: null, latest: null }, ['DISPUTED', 'PROCESSED'])).not.toContain('can spend')
})

caseTest('links the reversal of a case resolved elsewhere', async ({ arbitrator, dispute }) => {
  const reversalNow = async () => {
    const read = await readTransaction(arbitrator, dispute.referenceId)
    if (!read.ok) throw new Error(String(read.problem.title))
    return await readReversal(arbitrator, read.value, readDispute(arbitrator, read.value))
  }
  expect(await reversalNow()).toBe('not-confirmed')
  await dispute.resolve('The goods never came.', false)
  const reversal = await reversalNow()
  expect(reversal).toEqual({ reference: expect.stringMatching(/./), matched: true })
  const html = await htmlOf({ found: { kind: 'case', caseId: dispute.id }, latest: null }, [], reversal)
  expect(html).toContain('found by parties, amount and time')
})

caseTest('keeps the outcome while the cases cannot be read', async ({ arbitrator, dispute }) => {
  const read = await readTransaction(arbitrator, dispute.referenceId)
  if (!read.ok) throw new Error(String(read.problem.title))
  const found = { kind: 'not-known', why: '', again: true } as const
  const parts = async (latest: CommandView | null) => {
    const dispute = Promise.resolve({ access, found, latest })
    return (await DisputeSection({ session: arbitrator, transaction: read.value, dispute }))?.props.children
  }
  const latest = refund(null)
  expect(await parts(latest)).toMatchObject([
    { type: ResolveDispute, props: { form: null, latest } },
    expect.anything(),
  ])
  expect(await parts(null)).toMatchObject([null, expect.anything()])
})

const withoutCodes = serviceTest.extend('environment', { REQUIRE_ENROLMENT: 'off' })

withoutCodes('shows authors their decision while scopes are unread', async ({ service, newcomer }) => {
  const { accessToken } = await service.login('ana@example.com')
  const transfer = { recipientId: userIdOf('12'), amount: 20, useEscrow: true }
  const { data } = await service.call('POST', '/api/v1/Transaction/p2p', { token: accessToken, body: transfer })
  const referenceId = String(data?.referenceId)
  await service.call('POST', '/sandbox/transactions', { body: { referenceId, move: 'dispute' } })
  const params = { referenceId, decision: 'refund', reason: 'Both sides agree.' }
  const { command } = await runCommand(newcomer, 'transaction.resolve', params)
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 10)
  const session = await signedIn(service, 'newcomer@example.com', userIdOf('5'))
  const read = await readTransaction(session, referenceId)
  if (!read.ok) throw new Error(String(read.problem.title))
  const dispute = readDispute(session, read.value)
  const section = await DisputeSection({ session, transaction: read.value, dispute })
  const [resolved, remark] = section?.props.children ?? []
  expect(resolved).toMatchObject({ type: ResolveDispute, props: { form: null, latest: { id: command.id } } })
  expect(remark.props).toMatchObject({ why: 'Your scopes could not be read.', again: true })
})
