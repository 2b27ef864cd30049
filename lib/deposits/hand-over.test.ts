import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordKnownPerson } from '#lib/commands/policy/known-people.ts'
import { peopleWithRoom } from '#lib/commands/policy/room.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { editorsOf } from './by-hand.ts'
import { handOversFor, handOversOf } from './hand-over.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

let service: TestService
let operator: Session
let admin: Session
let viewer: Session
let referenceId: string

beforeEach(async () => {
  service = await freshWorld({ REQUIRE_ENROLMENT: 'off' })
  putPerProcess('known people', undefined)
  operator = await signedIn(service, 'operator@example.com', idOf('1'))
  admin = await signedIn(service, 'admin@example.com', idOf('3'))
  viewer = await signedIn(service, 'viewer@example.com', idOf('4'))
  for (const session of [operator, admin, viewer]) await recordKnownPerson(session)
  underPolicy({ kind: 'deposit.confirm', limit: { sum: '100' } })
  referenceId = await service.announceDeposit('60')
})

const given = (change: object = {}) => ({ referenceId, to: admin.actor, reason: 'Over my limit', ...change })
const handOver = (change: object = {}, by = operator) => runCommand(by, 'deposit.hand-over', given(change))
const handBack = (by: Session) => runCommand(by, 'deposit.hand-back', { referenceId })
const refusal = (change: object = {}, by = operator) => draftOf(by, 'deposit.hand-over', given(change))
const shown = async (to: Session) => (await handOversFor(to)).map((one) => one.reference)
const open = async (reader = operator) => (await handOversOf(reader, [referenceId])).get(referenceId) ?? null
const confirm = async (by: Session, reference = referenceId, amount = '60') =>
  await runCommand(by, 'deposit.confirm', {
    referenceId: reference,
    bankReference: `ATL ${randomUUID()}`,
    statementAmount: amount,
  })

test('a colleague sees who handed over what, when and why', async () => {
  await handOver({ bankReference: 'ATL 7', statementAmount: '60.00' })
  expect(await handOversFor(admin)).toEqual([
    {
      reference: referenceId,
      amount: expect.stringMatching(/^60(\.0+)?$/),
      from: 'operator@example.com',
      to: 'admin@example.com',
      reader: 'colleague',
      at: expect.stringMatching(/^20/),
      reason: 'Over my limit',
      handedBackAt: null,
      known: { bankReference: 'ATL 7', statementAmount: '60.00' },
    },
  ])
  expect(await open()).toMatchObject({ reader: 'sender', known: { bankReference: '', statementAmount: '' } })
  expect(await shown(operator)).toEqual([])
})

test('it confirms nothing and gives the colleague no room', async () => {
  await handOver()
  await confirm(admin, await service.announceDeposit('50'), '50')
  expect((await confirm(admin)).command.outcome).toMatchObject({ class: 'refused', title: 'Over your limit' })
  expect(await shown(admin)).toEqual([referenceId])
})

describe('ends', () => {
  beforeEach(async () => {
    await handOver()
  })

  test('when anybody confirms the deposit', async () => {
    await confirm(operator)
    expect([await shown(admin), await open()]).toEqual([[], null])
  })

  test('when the deposit is found confirmed elsewhere', async () => {
    const { accessToken: token } = await service.login('admin@example.com')
    const body = { referenceId, bankReference: 'ATL elsewhere' }
    await service.call('POST', '/api/v1/Transaction/deposit/confirm', { token, body })
    await readTransaction(viewer, referenceId)
    await eventually(async () => expect(await shown(admin)).toEqual([]))
    expect(await open()).toBeNull()
  })

  test('when the sender takes it back', async () => {
    await handBack(operator)
    expect([await shown(admin), await shown(operator), await open()]).toEqual([[], [], null])
  })

  test('when the colleague hands it back, and the sender hears of it', async () => {
    await handBack(admin)
    expect([await shown(admin), await shown(operator)]).toEqual([[], [referenceId]])
    expect(await open()).toMatchObject({ handedBackAt: expect.stringMatching(/^20/) })
    await handBack(operator)
    expect([await shown(operator), await open()]).toEqual([[], null])
  })

  test('not by a third person', async () => {
    const third = { ...operator, actor: `sso:${idOf('9')}` }
    expect(await draftOf(third, 'deposit.hand-back', { referenceId })).toMatchObject({
      fields: { referenceId: 'Only operator@example.com and admin@example.com can end this.' },
    })
    expect(await open(third)).toMatchObject({ reader: null })
  })
})

test('a deposit handed back can be handed over again', async () => {
  await handOver()
  await handBack(admin)
  await handOver({ reason: '' })
  expect(await handOversFor(admin)).toMatchObject([{ handedBackAt: null, reason: '' }])
})

describe('is refused, with the field and the rule', () => {
  test.each<[string, () => object, object]>([
    ['oneself', () => ({ to: operator.actor }), { to: expect.stringContaining('to yourself') }],
    ['nobody', () => ({ to: '' }), { to: 'Choose a colleague.' }],
    ['a made-up person', () => ({ to: 'sso:somebody' }), { to: expect.stringContaining('not known here') }],
    ['a person without the scope', () => ({ to: viewer.actor }), { to: expect.stringContaining('may not confirm') }],
    ['the recipient', () => ({ to: `sso:${idOf('11')}` }), { to: expect.stringContaining('recipient') }],
    ['a card number', () => ({ reason: '4242 4242 4242 4242' }), { reason: expect.stringContaining('card number') }],
    ['a wrong amount', () => ({ statementAmount: '1,2' }), { statementAmount: expect.stringContaining('comma') }],
  ])('%s', async (_what, change, fields) => {
    expect(await refusal(change())).toEqual({ ok: false, fields, problem: null })
  })

  test('a colleague whose limit does not fit', async () => {
    await confirm(admin, await service.announceDeposit('50'), '50')
    expect(await refusal()).toMatchObject({ fields: { to: expect.stringContaining('does not fit') } })
  })

  test('the recipient, who cannot confirm it either', async () => {
    const recipient = { ...operator, userId: idOf('11') }
    expect(await refusal({}, recipient)).toMatchObject({
      fields: { referenceId: expect.stringContaining('recipient') },
    })
  })

  test('a deposit that is confirmed', async () => {
    await confirm(admin)
    expect(await refusal()).toMatchObject({ fields: { referenceId: expect.stringContaining('Only a queued deposit') } })
  })

  test('a deposit that is handed over already', async () => {
    await handOver()
    expect(await refusal()).toMatchObject({
      fields: { referenceId: expect.stringMatching(/^Already handed to admin@example.com by operator/) },
    })
  })

  test('the viewer, who does not see it either', async () => {
    await handOver()
    expect(await refusal({}, viewer)).toMatchObject({ problem: { status: 403 } })
    expect(await draftOf(viewer, 'deposit.hand-back', { referenceId })).toMatchObject({ problem: { status: 403 } })
    expect([await shown(viewer), await open(viewer)]).toEqual([[], null])
  })
})

test('of eight at once, one is written', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => handOver().catch(() => null)))
  expect(replies.filter((reply) => reply?.command.outcome.class === 'done')).toHaveLength(1)
  expect(await shown(admin)).toEqual([referenceId])
})

test('only other people with scope and room are offered, by name', async () => {
  const offered = async (amount: string, by = operator) =>
    (await peopleWithRoom(await store(), by, { kind: 'deposit.confirm', amount })).map(({ name }) => name)
  expect(await offered('100')).toEqual(['admin@example.com'])
  expect(await offered('100', admin)).toEqual(['operator@example.com'])
  expect(await offered('100.01')).toEqual([])
  await confirm(admin)
  expect([await offered('40'), await offered('41')]).toEqual([['admin@example.com'], []])
  await (await store()).updateTable('known_person').set({ name: '' }).execute()
  expect(await offered('40')).toEqual([])
})

test('a sender who gave the bank’s reference may not approve it', async () => {
  const editors = async () => await editorsOf(await store(), { referenceId, bankReference: 'ATL 7' })
  await handOver()
  expect(await editors()).toEqual([])
  await handBack(operator)
  await handOver({ bankReference: 'ATL 7' })
  expect(await editors()).toEqual([operator.actor])
})
