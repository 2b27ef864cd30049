import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { draftOf, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { readTransaction } from './transaction-service.ts'

const [ASKED, OTHER] = ['DEP~0001', 'DEP~0002']
const PATH = `GET /api/v1/Transaction/${ASKED}`

const about = (referenceId: string, state = 'QUEUED') =>
  ok({
    transactionId: '00000000-0000-4000-8000-0000000000aa',
    referenceId,
    fromAccountId: '00000000-0000-4000-8000-0000000000a0',
    toAccountId: '00000000-0000-4000-8000-000000000012',
    credit: '900.00000000',
    debit: '900.00000000',
    transactionType: 'DEPOSIT',
    state,
    createdAt: '2026-07-01T10:00:00.1234567Z',
  })

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})

afterAll(() => service.stop())

beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await signedIn(0)
})

test('takes no answer about another transaction', async () => {
  service.on(PATH, about(OTHER))
  expect(await readTransaction(session, ASKED)).toMatchObject({ ok: false, problem: { kind: 'unreadable' } })
})

test('confirms no deposit by the amount of another', async () => {
  service.on(PATH, about(OTHER))
  const params = { referenceId: ASKED, bankReference: 'ATL-1', statementAmount: '900' }
  expect((await draftOf(session, 'deposit.confirm', params)).ok).toBe(false)
})

const decided = (decision: string) => ({ referenceId: ASKED, decision, reason: 'Both sides agree.' })

test.each([
  ['refund', 'silent'],
  ['release', 'contradicts'],
])('a %s answered for another transaction is not done', (decision, agreement) => {
  const data = { referenceId: OTHER, state: 'PROCESSED', reversal: OTHER }
  const answered = { params: decided(decision), facts: { referenceId: ASKED }, data, actorUserId: null }
  expect(serviceKindOrFail('transaction.resolve').compareAnswer(answered)).toBe(agreement)
})

test('resolves no dispute by the state of another transaction', async () => {
  service.on(PATH, about(OTHER, 'PROCESSED'))
  const sent = {
    facts: { referenceId: ASKED },
    actorUserId: null,
    sentAt: new Date().toISOString(),
    answer: 'success',
  } as const
  const found = await serviceKindOrFail('transaction.resolve').reconcile?.(session, decided('refund'), sent)
  expect(found).toMatchObject({ settled: false, showsNoEffect: false })
})

test.each([ASKED, 'dep~0001'])('takes an answer that spells the reference %s', async (spelling) => {
  service.on(PATH, about(spelling))
  expect(await readTransaction(session, ASKED)).toMatchObject({ ok: true, value: { referenceId: spelling } })
})

test.each([
  ['deposit.confirm', 'QUEUED', { bankReference: 'ATL-1', statementAmount: '900' }],
  ['transaction.resolve', 'DISPUTED', { decision: 'refund', reason: 'Both sides agree.' }],
] as const)('%s takes only the spelling of the service', async (kind, state, more) => {
  service.on(PATH, about('dep~0001', state))
  expect(await draftOf(session, kind, { referenceId: ASKED, ...more })).toMatchObject({
    ok: false,
    fields: { referenceId: 'Written differently at the service: dep~0001' },
  })
})
