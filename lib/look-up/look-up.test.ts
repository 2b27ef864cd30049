import { beforeEach, expect, test } from 'vitest'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { recordCase } from '#lib/disputes/queue/case-index.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ANA, NEW_CARD, OPERATOR } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { csvOf, importForTest } from '#lib/testing/test-statement.ts'
import { lookUp } from './look-up.ts'
import { type Found, lookUpFault, type SourceName } from './thing.ts'

let service: TestService
let operator: Session
let arbitrator: Session
let admin: Session
let viewer: Session

const CARD = '/api/v1/cards/{cardId}'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

beforeEach(async () => {
  service = await freshWorld()
  ;[operator, arbitrator, admin, viewer] = await Promise.all([
    signedIn(service, 'operator@example.com', OPERATOR),
    signedIn(service, 'arbitrator@example.com', idOf('2')),
    signedIn(service, 'admin@example.com', idOf('3')),
    signedIn(service, 'viewer@example.com', idOf('4')),
  ])
})

interface Answer {
  readonly asked: readonly SourceName[]
  readonly found: Partial<Record<SourceName, readonly Found[]>>
  readonly failed: readonly SourceName[]
}

async function ask(session: Session, text: string): Promise<Answer> {
  let asked: readonly SourceName[] = []
  const found: Partial<Record<SourceName, readonly Found[]>> = {}
  const failed: SourceName[] = []
  let ended = false
  for await (const frame of lookUp(session, text)) {
    if (frame.kind === 'asked') asked = frame.sources
    else if (frame.kind === 'found') found[frame.source] = frame.found
    else if (frame.kind === 'failed') failed.push(frame.source)
    else ended = true
  }
  expect(ended).toBe(true)
  expect([...Object.keys(found), ...failed].sort()).toEqual([...asked].sort())
  return { asked, found, failed }
}

const hrefs = (found: readonly Found[] | undefined) => (found ?? []).map(({ href }) => href)

test('each person asks where they may read, and nowhere else', async () => {
  const scopesKnown = async (session: Session, text: string) => (await ask(session, text)).asked
  const service = ['transactions', 'cases', 'cards', 'terminals', 'merchants', 'users']
  expect(await scopesKnown(operator, ANA)).toEqual([...service, 'register', 'lines', 'changes'])
  expect(await scopesKnown(admin, ANA)).toEqual([...service, 'register', 'lines', 'changes'])
  expect(await scopesKnown(arbitrator, ANA)).toEqual(['transactions', 'cases', 'users', 'changes'])
  expect(await scopesKnown(viewer, ANA)).toEqual([...service, 'changes'])
  // What is no id of the kind is not asked for; a reference or a merchant may be any text.
  expect(await scopesKnown(operator, 'merchant-001')).toEqual([
    'transactions',
    'cases',
    'merchants',
    'register',
    'lines',
    'changes',
  ])
  // A part of a text has three characters at least.
  expect(await scopesKnown(operator, 'ab')).toEqual(['transactions', 'cases', 'merchants'])
})

test('where scopes could not be read the service decides, and the console opens nothing of its own', async () => {
  const unread = await signedInUnread(service, 'operator@example.com')
  const { asked, found } = await ask(unread, ANA)
  expect(asked).toEqual(['transactions', 'cases', 'cards', 'terminals', 'merchants', 'users', 'changes'])
  expect(hrefs(found.users)).toEqual([`/users/${ANA}`])
})

test('finds transactions, users, merchants and terminals by their ids', async () => {
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

test('finds a visible case by its id or transaction', async () => {
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

test('finds a card by id, holder, last digits and name', async () => {
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

test('finds statement lines and changes by part of their text', async () => {
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

test('finds a bank reference in any spelling', async () => {
  const reference = await service.announceDeposit('70')
  const bankReference = `ATL-${reference.slice(4, 12)}-0042`
  await runCommand(operator, 'deposit.confirm', { referenceId: reference, bankReference, statementAmount: '70' })
  const id = await importForTest(operator, csvOf([{ bank: 'BANK\u200B\u2011REF\u20119' }]))
  const changes = (await ask(admin, bankReference.replaceAll('-', '\u2011').slice(1))).found.changes ?? []
  expect(changes.map(({ words }) => words)).toEqual(['Confirm deposit of 70.00 BZD'])
  expect(hrefs((await ask(operator, 'bank-ref-9')).found.lines)).toEqual([`/deposits/statements/${id}?page=1`])
})

test.each([
  ["' OR 1=1 --"],
  ['%'.repeat(20)],
  ['../../api/v1/Users'],
  ['..'],
  ['%2e%2e%2fcards'],
  ['<script>alert(1)</script>'],
  ['\\'.repeat(9)],
  ['x'.repeat(512)],
  ['\u202Egnp.exe'],
])('a hostile text finds nothing, harms nothing, and no source fails: %j', async (text) => {
  await runCommand(operator, 'card.issue', NEW_CARD)
  await importForTest(operator, csvOf([{ reference: 'SOME' }]))
  const { found, failed } = await ask(admin, text)
  expect(failed).toEqual([])
  expect(Object.values(found).flat()).toEqual([])
})

test('looks up no card number, line end or overlong text', () => {
  expect(lookUpFault('4111 1111 1111 1111')).toContain('Card numbers')
  expect(lookUpFault('a\nb')).toContain('Paste a single id')
  expect(lookUpFault('x'.repeat(513))).toContain('513 characters')
  for (const text of [ANA, 'P2P~9f2c41aa-77de.20261116', '4711', 'Müller']) expect(lookUpFault(text)).toBeNull()
})

test('a source that fails is told as failed, and the others answer all the same', async () => {
  const reference = await service.announceDeposit('5')
  await service.fault('GET', '/api/v1/Transaction/{referenceId}', { status: 500 }, 9)
  const faulty = await ask(operator, reference)
  expect(faulty.failed).toEqual(['transactions'])
  expect(faulty.found.merchants).toEqual([])
})

test('reports only the source whose statement failed', async () => {
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

test('what answers is told before what does not answer yet', async () => {
  await service.fault('GET', CARD, 'hold', 1)
  const order: string[] = []
  let sources = 0
  for await (const frame of lookUp(operator, ANA)) {
    if (frame.kind === 'asked') sources = frame.sources.length
    order.push('source' in frame ? frame.source : frame.kind)
    if (order.length === sources) await service.clearFaults()
  }
  expect(order[0]).toBe('asked')
  expect(order.slice(-2)).toEqual(['cards', 'end'])
})
