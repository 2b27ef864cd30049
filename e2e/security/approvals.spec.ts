import { expect } from '../support/fixtures.ts'
import { test } from '../support/own-policy.ts'
import { askFor, decide, draft, drafted, outcomeIn, people, REASON, requestApproval, send } from './approving.ts'
import { ask, JSON_BODY, ownHeaders } from './http.ts'

/** Of amounts that no other test confirms. */
const POLICY = JSON.stringify({
  rules: [{ kind: 'deposit.confirm', when: { amountAtLeast: '5000.00' }, approval: { by: 1 } }],
})
test('lets only another person with the scope decide', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const maker = await as('operator')
  const waiting = await requestApproval(maker, sandbox, '5100')
  expect((await decide(maker, waiting)).status).toBe(403)
  expect((await decide(await as('operator'), waiting)).status).toBe(403)
  for (const email of ['arbitrator', 'viewer']) expect((await decide(await as(email), waiting)).status).toBe(404)
  const nobody = await ask(url, {
    method: 'POST',
    path: `/api/commands/${waiting.id}/decision`,
    headers: { ...ownHeaders(url), ...JSON_BODY },
    body: JSON.stringify({ approves: true, effect: waiting.effect, reason: '' }),
  })
  expect(nobody.status).toBe(401)
  expect(outcomeIn(await send(maker, waiting))).toBe('approval')
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
})

test('refuses approval by the author with every scope', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const admin = await as('admin')
  const waiting = await requestApproval(admin, sandbox, '5200')
  expect((await decide(admin, waiting)).status).toBe(403)
  expect(outcomeIn(await send(admin, waiting))).toBe('approval')
  await decide(await as('operator'), waiting)
  expect(outcomeIn(await send(admin, waiting))).toBe('done')
})

test('sends nothing without an approval of exactly this change', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const [maker, admin] = [await as('operator'), await as('admin')]
  const never = await drafted(maker, sandbox, '5300')
  expect(outcomeIn(await send(maker, never))).toBe('refused')
  const [one, other] = [await requestApproval(maker, sandbox, '5301'), await drafted(maker, sandbox, '5302')]
  const [edited, second] = [await draft(maker, other.reference, '5302'), await draft(admin, other.reference, '5302')]
  await askFor(maker, other)
  expect((await decide(admin, { id: one.id, effect: other.effect })).status).toBe(409)
  await decide(admin, other)
  expect(outcomeIn(await admin.send('POST', `/api/commands/${second.id}/approval`, REASON))).toBe('refused')
  expect(outcomeIn(await send(maker, edited))).toBe('refused')
  expect(outcomeIn(await send(maker, one))).toBe('approval')
  for (const { reference } of [never, one, other]) {
    await expect(sandbox.stateOf(reference)).resolves.toBe('QUEUED')
  }
})

test('what was approved is sent by its author alone, and once', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const [maker, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(maker, sandbox, '5400')
  expect((await admin.send('POST', `/api/commands/${waiting.id}/approval`, REASON)).status).toBe(404)
  await decide(admin, waiting)
  expect((await send(admin, waiting)).status).toBe(404)
  expect((await admin.send('DELETE', `/api/commands/${waiting.id}`, undefined)).status).toBe(404)
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
  const answers = await Promise.all([send(maker, waiting), send(maker, waiting), send(await as('operator'), waiting)])
  expect(answers.map(outcomeIn)).toContain('done')
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('PROCESSING')
})

test('lets no manual settlement or freed lock past an approval', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const [maker, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(maker, sandbox, '5500')
  const why = { why: 'The bank says so' }
  const settled = await admin.send('POST', `/api/commands/${waiting.id}/settle`, { happened: true, ...why })
  expect(outcomeIn(settled)).toBe('approval')
  await admin.send('POST', `/api/commands/${waiting.id}/free-lock`, why)
  const params = { referenceId: waiting.reference, bankReference: 'B-9', statementAmount: '5500' }
  const atOnce = await maker.send('PUT', `/api/commands/${crypto.randomUUID()}`, { kind: 'deposit.confirm', params })
  expect(atOnce.status).toBe(400)
  expect(outcomeIn(await send(maker, waiting))).toBe('approval')
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
})

test('refuses malformed and foreign decisions', async ({ playwright, programs, sandbox, under }) => {
  const { url } = await under(POLICY)
  const as = await people(playwright.request, programs.consoleUrl, url)
  const [maker, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(maker, sandbox, '5600')
  const { effect } = waiting
  const path = `/api/commands/${waiting.id}/decision`
  const bodies = [
    {},
    { approves: 'true', effect, reason: '' },
    { approves: false, effect, reason: '' },
    { approves: false, effect, reason: ' ' },
    { approves: true, effect: effect.slice(1), reason: '' },
    { approves: true, effect: effect.toUpperCase(), reason: '' },
    { approves: true, effect, reason: 'Card 4111 1111 1111 1111' },
    { approves: true, effect, reason: 'x'.repeat(501) },
    { approves: true, effect, reason: '', by: 'sso:somebody' },
  ]
  for (const body of bodies) expect((await admin.send('POST', path, body)).status, JSON.stringify(body)).toBe(400)
  const body = JSON.stringify({ approves: true, effect, reason: '' })
  const spoiled = [
    ['origin', 'https://evil.example'],
    ['x-console', '0'],
    ['sec-fetch-site', 'cross-site'],
  ] as const
  for (const [name, value] of spoiled) {
    const headers = { ...admin.headers, ...JSON_BODY, [name]: value }
    expect((await ask(url, { method: 'POST', path, headers, body })).status).toBe(403)
  }
  expect(outcomeIn(await send(maker, waiting))).toBe('approval')
})
