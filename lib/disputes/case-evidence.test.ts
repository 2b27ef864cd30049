import { expect } from 'vitest'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import { store } from '#lib/store/store.ts'
import { decide } from '#lib/testing/approval-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'
import { LOOKS_OVER_SECONDS } from '#lib/testing/open-deposit.ts'
import { sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { sentences, verifyDossier } from '../../tools/verify-dossier.mjs'
import { exportCaseEvidence } from './case-evidence.ts'
import { readWholeThread } from './thread/case-thread.ts'

const test = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend('exported', ({ arbitrator, dispute }) => async () => {
    const result = await exportCaseEvidence(arbitrator, dispute.id)
    if (!result.ok) throw new Error(JSON.stringify(result.problem))
    return result.dossier
  })

test.beforeEach(async ({ arbitrator, dispute }) => {
  await dispute.post('It never came.')
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Please send a photo.' })
})

const verified = (dossier: object) => {
  const {
    logOrigin,
    logKeys: [logKey],
  } = config()
  return verifyDossier(`${JSON.stringify(dossier)}\n`, verifierKey(logOrigin, logKey))
}

test('has case, thread and transaction as the service gave them', async ({ dispute, exported }) => {
  const dossier = await exported()
  const text = [...sentences(verified(dossier))].join('\n')
  for (const part of [
    `this console read GET /api/v1/Dispute/${dispute.id}: SHA-256`,
    `GET /api/v1/Dispute/${dispute.id}/messages?page=`,
    `GET /api/v1/Transaction/${encodeURIComponent(dispute.referenceId)}`,
    'dispute.message',
    'exported this at',
  ])
    expect(text).toContain(part)
  expect(dossier.answers.map(({ body }) => body).join()).toContain('It never came.')
  expect(JSON.stringify(dossier)).toContain('Please send a photo.')
})

test('has changes whose case id mixed its letter case', async ({ arbitrator, dispute, exported }) => {
  const caseId = dispute.id.replace(/[a-f]/, (letter) => letter.toUpperCase())
  const post = async (body: string) => (await runCommand(arbitrator, 'dispute.message', { caseId, body })).command.id
  const [now, before] = [await post('Under the mixed id.'), await post('As an earlier version stored it.')]
  expect((await latestCommand(arbitrator, 'dispute.message', dispute.id))?.id).toBe(before)
  await (await store()).updateTable('command').set({ target: caseId }).where('id', '=', before).execute()
  const commands = verified(await exported()).changes.map(({ events }) => events[0]?.command)
  expect(commands).toEqual(expect.arrayContaining([now, before]))
})

test('has the settling by hand of its decision, with its approver', async ({
  service,
  newcomer,
  admin,
  dispute,
  exported,
}) => {
  underPolicy({ kind: 'dispute.settle', approval: { by: 1 } })
  await service.fault('POST', '/api/v1/Dispute/{caseId}/resolve', 'drop-before')
  const thread = await readWholeThread(newcomer, dispute.id)
  const params = {
    ...{ caseId: dispute.id, referenceId: dispute.referenceId, decision: 'refund', reason: 'It never came.' },
    latestMessageId: thread.ok ? thread.value.messages.at(-1)?.id : '',
  }
  const { command } = await runCommand(newcomer, 'dispute.resolve', params, 'arbitrator@example.com')
  await sentSecondsAgo(command.id, LOOKS_OVER_SECONDS)
  const why = 'The service’s support says so.'
  const settling = await draftForTest(newcomer, 'dispute.settle', { id: command.id, happened: true, why })
  await askForApproval(newcomer, settling, { reason: why, proof: null })
  await decide(admin, settling)
  const result = verified(await exported())
  const commands = result.changes.map(({ events }) => events[0]?.command)
  expect(commands).toEqual(expect.arrayContaining([command.id, settling]))
  expect([...sentences(result)].join('\n')).toContain('admin@example.com')
})

test('is refused with another answer, order or request', async ({ exported }) => {
  const dossier = await exported()
  const [first, second] = dossier.answers
  for (const answers of [
    [{ ...first, body: `${first?.body} ` }, ...dossier.answers.slice(1)],
    [{ ...first, at: '2020-01-01T00:00:00.000Z' }, ...dossier.answers.slice(1)],
    [{ ...first, request: 'GET /other' }, ...dossier.answers.slice(1)],
    [{ ...first, more: '' }, ...dossier.answers.slice(1)],
    [second, first, ...dossier.answers.slice(2)],
    dossier.answers.slice(1),
  ])
    expect(() => verified({ ...dossier, answers })).toThrow('an answer of the service was altered')
})

test('is for staff who work on cases, and no party', async ({ service, arbitrator, dispute }) => {
  const operator = await signedIn(service, 'operator@example.com', userIdOf('1'))
  expect(await exportCaseEvidence(operator, dispute.id)).toMatchObject({ ok: false, problem: { status: 403 } })
  const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
  expect(await exportCaseEvidence(ana, dispute.id)).toMatchObject({ ok: false, problem: { status: 403 } })
  expect(await exportCaseEvidence(arbitrator, userIdOf('99'))).toMatchObject({ ok: false, problem: { status: 404 } })
})

test('exports a case about which nothing was changed', async ({ service, arbitrator }) => {
  const quiet = await raiseCase(service)
  const result = await exportCaseEvidence(arbitrator, quiet.id)
  expect(result).toMatchObject({ ok: true, dossier: { entries: [{ index: expect.any(Number) }] } })
  if (result.ok) expect(verified(result.dossier).changes).toEqual([])
})
