import { beforeEach, expect, test } from 'vitest'
import { commandNamed } from '#lib/commands/kind.ts'
import { readApproval, readFactsNow } from '#lib/commands/policy/approval-view.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { decide, stateOf } from '#lib/testing/approval-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { readWholeThread } from './thread/case-thread.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

let service: TestService
let maker: Session
let arbitrator: Session
let admin: Session
let dispute: TestCase

beforeEach(async () => {
  service = await freshWorld({ REQUIRE_ENROLMENT: 'off' })
  underPolicy({ kind: 'dispute.resolve', approval: { by: 2 } })
  // Who is not enrolled in two-factor security passes at the service without a code.
  maker = await signedIn(service, 'newcomer@example.com', idOf('5'))
  arbitrator = await signedIn(service, 'arbitrator@example.com', idOf('2'))
  admin = await signedIn(service, 'admin@example.com', idOf('3'))
  dispute = await raiseCase(service)
})

/** A decision of the case that waits for two others. */
async function asked(): Promise<string> {
  const thread = await readWholeThread(maker, dispute.id)
  if (!thread.ok) throw new Error(JSON.stringify(thread.problem))
  const id = await draftForTest(maker, 'dispute.resolve', {
    caseId: dispute.id,
    referenceId: dispute.referenceId,
    decision: 'refund',
    reason: 'The parcel never left the depot.',
    latestMessageId: thread.value.messages.at(-1)?.id ?? '',
  })
  await askForApproval(maker, id, { reason: 'The carrier says so', proof: null })
  return id
}

const send = async (id: string) => (await executeForTest(maker, id)).command.outcome

test('a decision that two others must approve goes out after the second, and by its author', async () => {
  const id = await asked()
  await decide(arbitrator, id)
  expect(await send(id)).toMatchObject({
    class: 'approval',
    needed: 2,
    approvedBy: [{ name: 'arbitrator@example.com' }],
  })
  await decide(admin, id)
  expect((await send(id)).class).toBe('done')
})

test('two that approve at once both count', async () => {
  const id = await asked()
  await Promise.all([decide(arbitrator, id), decide(admin, id)])
  expect((await send(id)).class).toBe('done')
})

test('one who declines ends it, though another has approved', async () => {
  const id = await asked()
  await decide(arbitrator, id)
  await decide(admin, id, false, 'The carrier says otherwise')
  expect([await stateOf(id), (await send(id)).class]).toEqual(['closed', 'refused'])
})

test('a party of the case decides nothing about it', async () => {
  const id = await asked()
  const kind = commandNamed('dispute.resolve')
  const parties = kind?.parties
  Object.assign(kind ?? {}, { parties: () => [admin.userId.toUpperCase()] })
  try {
    expect(await decide(admin, id)).toMatchObject({ ok: false, problem: { status: 403 } })
    expect(await readApproval(admin, id)).toMatchObject({ whyNot: expect.stringContaining('a party') })
  } finally {
    Object.assign(kind ?? {}, { parties })
  }
  expect(kind?.parties?.({}, (await factsOf(id)) as never)).toContain('00000000-0000-4000-8000-000000000011')
})

const factsOf = async (id: string) =>
  JSON.parse(
    (await (await store()).selectFrom('command').select('facts').where('id', '=', id).executeTakeFirstOrThrow()).facts,
  ) as Readonly<Record<string, string>>

test('who approves reads the same facts as its author: that the author is the assignee moves nothing', async () => {
  await executeForTest(maker, await draftForTest(maker, 'case.assign', { caseId: dispute.id }))
  const id = await asked()
  expect(await readFactsNow(admin, id)).toMatchObject({ ok: true, moved: false })
  await dispute.post('One more word')
  expect(await readFactsNow(admin, id)).toMatchObject({ ok: true, moved: true })
  await decide(arbitrator, id)
  await decide(admin, id)
  expect((await send(id)).class).toBe('changed')
})
