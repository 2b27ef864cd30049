import { beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import type { Session } from '#lib/session/session.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { sentences, verifyDossier } from '../../tools/verify-dossier.mjs'
import { exportCaseEvidence } from './case-evidence.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

let service: TestService
let arbitrator: Session
let found: TestCase

beforeEach(async () => {
  service = await freshWorld()
  arbitrator = await signedIn(service, 'arbitrator@example.com', idOf('2'))
  found = await raiseCase(service)
  await found.post('It never came.')
  await runCommand(arbitrator, 'dispute.message', { caseId: found.id, body: 'Please send a photo.' })
})

async function exported() {
  const result = await exportCaseEvidence(arbitrator, found.id)
  if (!result.ok) throw new Error(JSON.stringify(result.problem))
  return result.dossier
}

const verified = (dossier: object) => {
  const {
    logOrigin,
    logKeys: [logKey],
  } = config()
  return verifyDossier(`${JSON.stringify(dossier)}\n`, verifierKey(logOrigin, logKey))
}

test('has case, thread and transaction as the service gave them', async () => {
  const dossier = await exported()
  const text = [...sentences(verified(dossier))].join('\n')
  for (const part of [
    `this console read GET /api/v1/Dispute/${found.id}: SHA-256`,
    `GET /api/v1/Dispute/${found.id}/messages?page=`,
    `GET /api/v1/Transaction/${encodeURIComponent(found.referenceId)}`,
    'dispute.message',
    'exported this at',
  ])
    expect(text).toContain(part)
  expect(dossier.answers.map(({ body }) => body).join()).toContain('It never came.')
  expect(JSON.stringify(dossier)).toContain('Please send a photo.')
})

test('is refused with another answer, order or request', async () => {
  const dossier = await exported()
  const [first, second] = dossier.answers
  for (const answers of [
    [{ ...first, body: `${first?.body} ` }, ...dossier.answers.slice(1)],
    [{ ...first, at: '2020-01-01T00:00:00.000Z' }, ...dossier.answers.slice(1)],
    [{ ...first, request: 'GET /other' }, ...dossier.answers.slice(1)],
    [second, first, ...dossier.answers.slice(2)],
    dossier.answers.slice(1),
  ])
    expect(() => verified({ ...dossier, answers })).toThrow('an answer of the service was altered')
})

test('is for staff who work on cases, and no party', async () => {
  const operator = await signedIn(service, 'operator@example.com', idOf('1'))
  expect(await exportCaseEvidence(operator, found.id)).toMatchObject({ ok: false, problem: { status: 403 } })
  const ana = await signedIn(service, 'ana@example.com', idOf('11'))
  expect(await exportCaseEvidence(ana, found.id)).toMatchObject({ ok: false, problem: { status: 403 } })
  expect(await exportCaseEvidence(arbitrator, idOf('99'))).toMatchObject({ ok: false, problem: { status: 404 } })
})

test('exports a case about which nothing was changed', async () => {
  const quiet = await raiseCase(service)
  const result = await exportCaseEvidence(arbitrator, quiet.id)
  expect(result).toMatchObject({ ok: true, dossier: { entries: [{ index: expect.any(Number) }] } })
  if (result.ok) expect(verified(result.dossier).changes).toEqual([])
})
