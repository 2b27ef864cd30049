import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readCase } from '#lib/disputes/dispute-service.ts'
import type { Session } from '#lib/session/session.ts'
import { discardStatement } from '#lib/statements/statement-list.ts'
import { store } from '#lib/store/store.ts'
import { awaiting, draftDeposit, tamper } from '#lib/testing/approval-world.ts'
import { ANA, NEW_CARD } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { recordCase } from '#lib/testing/listed-cases.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { csvOf, importForTest } from '#lib/testing/test-statement.ts'
import { serviceTest as test, userIdOf } from '#lib/testing/test-worlds.ts'
import { lookUpFault } from '#lib/values/text.ts'
import { lookUp } from './look-up.ts'
import type { Found, SourceName } from './thing.ts'

const CARD = '/api/v1/cards/{cardId}'

const administeredTest = test.extend('environment', {
  STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve',
})

interface Answer {
  readonly searched: readonly SourceName[]
  readonly found: Partial<Record<SourceName, readonly Found[]>>
  readonly failed: readonly SourceName[]
}

async function ask(session: Session, text: string): Promise<Answer> {
  let searched: readonly SourceName[] = []
  const found: Partial<Record<SourceName, readonly Found[]>> = {}
  const failed: SourceName[] = []
  let ended = false
  for await (const frame of lookUp(session, text)) {
    if (frame.kind === 'searched') searched = frame.sources
    else if (frame.kind === 'found') found[frame.source] = frame.found
    else if (frame.kind === 'failed') failed.push(frame.source)
    else ended = true
  }
  expect(ended).toBe(true)
  expect([...Object.keys(found), ...failed].sort()).toEqual([...searched].sort())
  return { searched, found, failed }
}

const hrefs = (found: readonly Found[] | undefined) => (found ?? []).map(({ href }) => href)

test('takes an account without transactions for no sure user', async ({ operator }) => {
  const { found } = await ask(operator, userIdOf('1'))
  expect(found.users).toMatchObject([{ detail: 'no transactions, may not be a user' }])
})

/** Everybody has some of these. */
const OWN = ['approvals', 'people', 'sessions']

test('each person asks where they may read, and nowhere else', async ({ operator, arbitrator, admin, viewer }) => {
  const scopesKnown = async (session: Session, text: string) => (await ask(session, text)).searched
  const service = ['transactions', 'cases', 'cards', 'terminals', 'merchants', 'users']
  const all = [...service, 'register', 'statements', 'lines', 'changed-terminals', 'changes', ...OWN]
  expect(await scopesKnown(operator, ANA)).toEqual(all)
  expect(await scopesKnown(admin, ANA)).toEqual(all)
  expect(await scopesKnown(arbitrator, ANA)).toEqual(['transactions', 'cases', 'users', 'changes', ...OWN])
  expect(await scopesKnown(viewer, ANA)).toEqual([...service, 'changed-terminals', 'changes', ...OWN])
  // What is no id of the kind is not asked for; a reference or a merchant may be any text.
  expect(await scopesKnown(operator, 'merchant-001')).toEqual([
    'transactions',
    'cases',
    'merchants',
    'register',
    'statements',
    'lines',
    'changed-terminals',
    'changes',
    'people',
    'sessions',
  ])
  // A part of a text has three characters at least.
  expect(await scopesKnown(operator, 'ab')).toEqual(['transactions', 'cases', 'merchants'])
})

test('where scopes could not be read, only the service is searched', async ({ service }) => {
  const unread = await signedInUnread(service, 'operator@example.com')
  const { searched, found, failed } = await ask(unread, ANA)
  const ofService = ['transactions', 'cases', 'cards', 'terminals', 'merchants', 'users']
  const ofConsole = ['register', 'statements', 'lines', 'changed-terminals', 'changes', ...OWN]
  expect(searched).toEqual([...ofService, ...ofConsole])
  expect(hrefs(found.users)).toEqual([`/users/${ANA}`])
  expect(failed.toSorted()).toEqual(['cases', ...ofConsole].sort())
})

test('finds transactions, users, merchants and terminals by their ids', async ({ service, operator, viewer }) => {
  const reference = await service.announceDeposit('250')
  const { found } = await ask(operator, reference)
  expect(found.transactions).toEqual([
    expect.objectContaining({
      href: `/transactions/${encodeURIComponent(reference)}`,
      id: reference,
      amount: '250.00000000',
      state: 'QUEUED',
    }),
  ])
  expect((await ask(viewer, ANA)).found.users).toEqual([
    expect.objectContaining({ kind: 'user', href: `/users/${ANA}`, detail: expect.stringMatching(/transactions$/) }),
  ])
  const merchant = (await ask(operator, 'merchant-001')).found.merchants
  expect(merchant).toEqual([expect.objectContaining({ href: '/terminals?merchant=merchant-001' })])
  const { accessToken: token } = await service.login('operator@example.com')
  const { data } = await service.call('GET', '/api/v1/merchant-terminals?merchantId=merchant-001', { token })
  const [terminal] = Object.values(data ?? {}).flat() as unknown as { id: string; terminalUid: string }[]
  expect((await ask(operator, terminal?.id ?? '')).found.terminals).toEqual([
    expect.objectContaining({ href: `/terminals/${terminal?.id}`, state: 'ACTIVE' }),
  ])
})

test('finds a visible case by its id or transaction', async ({ service, operator, arbitrator, viewer }) => {
  const raised = await raiseCase(service)
  expect(hrefs((await ask(arbitrator, raised.id)).found.cases)).toEqual([`/disputes/${raised.id}`])
  expect((await ask(operator, raised.id)).found.cases).toEqual([])
  expect((await ask(arbitrator, raised.referenceId)).found.cases).toEqual([])
  const read = await readCase(arbitrator, raised.id)
  if (!read.ok) throw new Error('the case cannot be read')
  await recordCase(read.value)
  expect(hrefs((await ask(arbitrator, raised.referenceId)).found.cases)).toEqual([`/disputes/${raised.id}`])
  // They lack the scope for what colleagues saw, and the service shows them no case of others.
  for (const other of [operator, viewer]) expect((await ask(other, raised.referenceId)).found.cases).toEqual([])
})

test('finds a card by id, holder, last digits and name', async ({ operator, admin }) => {
  const issued = await runCommand(operator, 'card.issue', NEW_CARD)
  const { rows } = { rows: await (await store()).selectFrom('issued_card').selectAll().execute() }
  const card = rows.find(({ command_id }) => command_id === issued.command.id)
  for (const text of [card?.id ?? '', ANA, card?.last4 ?? '', 'ALVAR', 'a alv']) {
    const { found } = await ask(admin, text)
    expect(hrefs(found.register), text).toEqual([`/cards/${card?.id}`])
    expect(JSON.stringify(found)).not.toMatch(/"cardNumber"|\d{16}/)
  }
  for (const text of ['Alvarex', '%%%', '___']) expect((await ask(admin, text)).found.register, text).toEqual([])
})

test('finds statement lines and changes by part of their text', async ({
  service,
  operator,
  arbitrator,
  admin,
  viewer,
}) => {
  const reference = await service.announceDeposit('70')
  const bankReference = `ATL-${reference.slice(-6)}-20%`
  await runCommand(operator, 'deposit.confirm', { referenceId: reference, bankReference, statementAmount: '70' })
  const id = await importForTest(
    operator,
    csvOf([
      { reference: 'OTHER-1' },
      { reference: 'X', text: 'Payment of Müller for invoice 4711' },
      { bank: 'BANK-REF-9' },
    ]),
  )
  const line = (number: number) => [`/deposits/statements/${id}?page=1`, `Line ${number} of July.csv`]
  const lines = async (text: string, session = operator) =>
    ((await ask(session, text)).found.lines ?? []).flatMap(({ href, words }) => [href, words])
  expect(await lines('other-1')).toEqual(line(1))
  expect(await lines('MÜLLER for inv')).toEqual(line(2))
  expect(await lines('k-ref')).toEqual(line(3))
  expect(await lines('4712')).toEqual([])
  expect(await lines('4711', arbitrator)).toEqual([])

  const changes = async (text: string, session: Session) =>
    ((await ask(session, text)).found.changes ?? []).map(({ words }) => words)
  for (const text of [reference.toLowerCase(), bankReference.toLowerCase().slice(2, -1), '-20%']) {
    expect(await changes(text, admin), text).toEqual(['Confirm deposit of 70.00 BZD'])
    for (const other of [arbitrator, viewer]) expect(await changes(text, other), text).toEqual([])
  }
  // The names of parameters, and what else stands among them, are no part of what a change is about.
  for (const text of ['bankReference', 'statementAmount']) expect(await changes(text, admin)).toEqual([])
})

test('finds statements by file name, account or id', async ({ operator, arbitrator, admin, viewer }) => {
  const sta = readFileSync('lib/testing/bank-files/several-statements.sta')
  const [table, accounts] = [
    await importForTest(operator, csvOf([{ reference: 'X' }])),
    await importForTest(operator, sta),
  ]
  const statements = async (text: string, session = admin) => hrefs((await ask(session, text)).found.statements)
  expect(await statements('july')).toEqual([`/deposits/statements/${accounts}`, `/deposits/statements/${table}`])
  for (const text of [accounts, '7712-b', '77 12-BZD'])
    expect(await statements(text)).toEqual([`/deposits/statements/${accounts}`])
  expect(await statements('J%ly')).toEqual([])
  for (const other of [arbitrator, viewer]) expect((await ask(other, 'july')).searched).not.toContain('statements')
  await discardStatement(operator, accounts)
  for (const text of [accounts, '7712-b', '77 12-BZD']) expect(await statements(text)).toEqual([])
})

test('finds terminals changed here by UID or label', async ({ service, operator, arbitrator, admin, viewer }) => {
  const terminal = { terminalUid: 'PAX-"NEW"-1', label: 'Front till' }
  for (const merchantId of ['merchant-001', 'merchant-002']) {
    await runCommand(operator, 'terminal.register', { ...terminal, merchantId })
  }
  const terminals = async (text: string, session = admin) =>
    hrefs((await ask(session, text)).found['changed-terminals'])
  for (const text of ['x-"new"', 'front TILL'])
    expect(await terminals(text)).toEqual(['/terminals?merchant=merchant-001'])
  for (const text of ['terminalUid', 'merchant-0', 'P%X']) expect(await terminals(text)).toEqual([])
  const { accessToken: token } = await service.login('operator@example.com')
  const { data } = await service.call('GET', '/api/v1/merchant-terminals?merchantId=merchant-001', { token })
  const rows = Object.values(data ?? {}).flat() as unknown as { id: string; terminalUid: string }[]
  const id = rows.find(({ terminalUid }) => terminalUid === terminal.terminalUid)?.id ?? ''
  await runCommand(operator, 'terminal.disable', { terminalId: id, reason: 'Stolen' }, 'Front till')
  for (const session of [operator, admin]) expect(await terminals('front till', session)).toEqual([`/terminals/${id}`])
  expect(await terminals('front till', viewer)).toEqual([])
  expect((await ask(arbitrator, 'front till')).searched).not.toContain('changed-terminals')
})

test('leads from a trace id to its change', async ({ service, operator, arbitrator, admin, viewer }) => {
  const referenceId = await service.announceDeposit('70')
  const params = { referenceId, bankReference: 'TRACED-1', statementAmount: '70' }
  const { command } = await runCommand(operator, 'deposit.confirm', params)
  const trace = command.traceId ?? 'none'
  for (const session of [operator, admin]) {
    expect(hrefs((await ask(session, trace)).found.changes)).toEqual([`/activity/${command.id}`])
  }
  expect((await ask(admin, trace.slice(0, -1))).found.changes).toEqual([])
  for (const other of [arbitrator, viewer]) expect((await ask(other, trace)).found.changes).toEqual([])
})

test('finds an approval request for whoever sees its change', async ({
  service,
  operator,
  arbitrator,
  admin,
  viewer,
}) => {
  underPolicy({ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } })
  const { id } = await awaiting(service, operator, '600')
  for (const session of [operator, admin]) {
    expect((await ask(session, id)).found.approvals).toEqual([
      expect.objectContaining({ href: `/approvals/${id}`, outcome: 'approval' }),
    ])
  }
  for (const other of [arbitrator, viewer]) expect((await ask(other, id)).found.approvals).toEqual([])
  const draft = await draftDeposit(service, operator, '600')
  for (const text of [draft.id, randomUUID()]) expect((await ask(operator, text)).found.approvals).toEqual([])
})

test('finds people by name or user id, if their activity shows', async ({
  service,
  operator,
  arbitrator,
  admin,
  viewer,
}) => {
  const referenceId = await service.announceDeposit('70')
  await runCommand(operator, 'deposit.confirm', { referenceId, bankReference: 'P-1', statementAmount: '70' })
  const people = async (text: string, session: Session) => hrefs((await ask(session, text)).found.people)
  for (const text of ['OPERATOR@exa', userIdOf('1')]) {
    expect(await people(text, admin)).toEqual(['/activity?person=operator%40example.com'])
    for (const other of [arbitrator, viewer]) expect(await people(text, other)).toEqual([])
  }
  expect(await people('operator@', operator)).toEqual(['/activity?person=operator%40example.com'])
  for (const text of ['oper_tor', userIdOf('99')]) expect(await people(text, admin)).toEqual([])
  const capital = 'ABCDEF00-0000-4000-8000-000000000000'
  await tamper(sql`UPDATE command SET actor = ${`sso:${capital}`}`)
  for (const text of [capital, capital.toLowerCase()]) expect(await people(text, admin)).toHaveLength(1)
})

administeredTest(
  'finds own sessions, and those of others for administrators',
  async ({ operator, arbitrator, admin, viewer }) => {
    await signInForTest({ actor: operator.actor, userId: operator.userId, address: '203.0.113.7' })
    const sessions = async (text: string, session: Session) => hrefs((await ask(session, text)).found.sessions)
    for (const text of [operator.id, '203.0.113']) {
      expect(await sessions(text, operator)).toEqual(['/security'])
      for (const other of [arbitrator, viewer]) expect(await sessions(text, other)).toEqual([])
      expect(await sessions(text, admin)).toEqual([`/security/sessions?find=${operator.userId}`])
    }
    expect(await sessions('viewer@', admin)).toEqual([`/security/sessions?find=${viewer.userId}`])
    expect(await sessions('viewer@', operator)).toEqual([])
  },
)

test('finds a bank reference in any spelling', async ({ service, operator, admin }) => {
  const reference = await service.announceDeposit('70')
  const bankReference = `ATL-${reference.slice(4, 12)}-0042`
  await runCommand(operator, 'deposit.confirm', { referenceId: reference, bankReference, statementAmount: '70' })
  const id = await importForTest(operator, csvOf([{ bank: 'BANK\u200B\u2011REF\u20119' }]))
  const changes = (await ask(admin, bankReference.replaceAll('-', '\u2011').slice(1))).found.changes ?? []
  expect(changes.map(({ words }) => words)).toEqual(['Confirm deposit of 70.00 BZD'])
  expect(hrefs((await ask(operator, 'bank-ref-9')).found.lines)).toEqual([`/deposits/statements/${id}?page=1`])
})

test.for([
  ["' OR 1=1 --"],
  ['%'.repeat(20)],
  ['../../api/v1/Users'],
  ['..'],
  ['%2e%2e%2fcards'],
  ['<script>alert(1)</script>'],
  ['\\'.repeat(9)],
  ['x'.repeat(512)],
  ['\u202Egnp.exe'],
] as const)(
  'a hostile text finds nothing, harms nothing, and no source fails: %j',
  async ([text], { operator, admin }) => {
    await runCommand(operator, 'card.issue', NEW_CARD)
    await importForTest(operator, csvOf([{ reference: 'SOME' }]))
    const { found, failed } = await ask(admin, text)
    expect(failed).toEqual([])
    expect(Object.values(found).flat()).toEqual([])
  },
)

test('finds nothing under a word that is another path', async ({ operator }) => {
  const { searched, found, failed } = await ask(operator, 'deposit')
  expect(searched).toContain('transactions')
  expect([found.transactions, failed]).toEqual([[], []])
})

test('looks up no card number, line end or overlong text', () => {
  expect(lookUpFault('4111 1111 1111 1111')).toContain('Card numbers')
  expect(lookUpFault('a\nb')).toContain('Paste a single id')
  expect(lookUpFault('x'.repeat(513))).toContain('513 characters')
  for (const text of [ANA, 'P2P~9f2c41aa-77de.20261116', '4711', 'Müller']) expect(lookUpFault(text)).toBeNull()
})

test('a source that fails is told as failed, and the others answer all the same', async ({ service, operator }) => {
  const reference = await service.announceDeposit('5')
  await service.fault('GET', '/api/v1/Transaction/{referenceId}', { status: 500 }, 9)
  const faulty = await ask(operator, reference)
  expect(faulty.failed).toEqual(['transactions'])
  expect(faulty.found.merchants).toEqual([])
})

test('reports only the source whose statement failed', async ({ arbitrator }) => {
  const { failing, remove } = await FailingStore.install()
  try {
    const answers: Answer[] = []
    // With each of the statements that a look-up takes.
    for (let failAt = 1, had = true; had; failAt += 1) {
      had = await failing.live(failAt, 'before', async () => void answers.push(await ask(arbitrator, ANA)))
    }
    const ofChanges = answers.find(({ failed }) => failed.includes('changes'))
    expect(ofChanges).toMatchObject({ failed: ['changes'], found: { users: [{ href: `/users/${ANA}` }] } })
  } finally {
    remove()
  }
})

test('what answers is told before what does not answer yet', async ({ service, operator }) => {
  await service.fault('GET', CARD, 'hold', 1)
  const order: string[] = []
  let sources = 0
  for await (const frame of lookUp(operator, ANA)) {
    if (frame.kind === 'searched') sources = frame.sources.length
    order.push('source' in frame ? frame.source : frame.kind)
    if (order.length === sources) await service.clearFaults()
  }
  expect(order[0]).toBe('searched')
  expect(order.slice(-2)).toEqual(['cards', 'end'])
})
