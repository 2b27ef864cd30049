import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { recordKnownPerson } from '#lib/commands/policy/known-people.ts'
import { peopleWithRoom } from '#lib/commands/policy/room.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { editorsOf } from './by-hand.ts'
import { handOversFor, handOversOf } from './hand-over.ts'

const test = serviceTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend('rules', [{ kind: 'deposit.confirm', limit: { sum: '100' } }])
  .extend('referenceId', ({ service }) => service.announceDeposit('60'))
  .extend('given', ({ admin, referenceId }) => (change: object = {}) => ({
    referenceId,
    to: admin.actor,
    reason: 'Over my limit',
    ...change,
  }))
  .extend('handOver', ({ operator, given }) => (change: object = {}, by = operator) => {
    return runCommand(by, 'deposit.hand-over', given(change))
  })
  .extend('handBack', ({ referenceId }) => (by: Session) => {
    return runCommand(by, 'deposit.hand-back', { referenceId })
  })
  .extend('refusal', ({ operator, given }) => (change: object = {}, by = operator) => {
    return draftOf(by, 'deposit.hand-over', given(change))
  })
  .extend('open', ({ operator, referenceId }) => async (reader = operator) => {
    return (await handOversOf(reader, [referenceId])).get(referenceId) ?? null
  })
  .extend('confirm', ({ referenceId }) => async (by: Session, reference = referenceId, amount = '60') => {
    return await runCommand(by, 'deposit.confirm', {
      referenceId: reference,
      bankReference: `ATL ${randomUUID()}`,
      statementAmount: amount,
    })
  })

test.beforeEach(async ({ operator, admin, viewer }) => {
  putPerProcess('known people', undefined)
  for (const session of [operator, admin, viewer]) await recordKnownPerson(session)
})

const shown = async (to: Session) => (await handOversFor(to)).map((one) => one.reference)

test('a colleague sees who handed over what, when and why', async ({
  operator,
  admin,
  referenceId,
  handOver,
  open,
}) => {
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

test('it confirms nothing and gives the colleague no room', async ({
  service,
  admin,
  referenceId,
  handOver,
  confirm,
}) => {
  await handOver()
  await confirm(admin, await service.announceDeposit('50'), '50')
  expect((await confirm(admin)).command.outcome).toMatchObject({ class: 'refused', title: 'Over your limit' })
  expect(await shown(admin)).toEqual([referenceId])
})

describe('ends', () => {
  test.beforeEach(async ({ handOver }) => {
    await handOver()
  })

  test('when anybody confirms the deposit', async ({ operator, admin, open, confirm }) => {
    await confirm(operator)
    expect([await shown(admin), await open()]).toEqual([[], null])
  })

  test('when the deposit is found confirmed elsewhere', async ({ service, admin, viewer, referenceId, open }) => {
    const { accessToken: token } = await service.login('admin@example.com')
    const body = { referenceId, bankReference: 'ATL elsewhere' }
    await service.call('POST', '/api/v1/Transaction/deposit/confirm', { token, body })
    await readTransaction(viewer, referenceId)
    await eventually(async () => expect(await shown(admin)).toEqual([]))
    expect(await open()).toBeNull()
  })

  test('when the sender takes it back', async ({ operator, admin, handBack, open }) => {
    await handBack(operator)
    expect([await shown(admin), await shown(operator), await open()]).toEqual([[], [], null])
  })

  test('when the colleague hands it back, and the sender hears of it', async ({
    operator,
    admin,
    referenceId,
    handBack,
    open,
  }) => {
    await handBack(admin)
    expect([await shown(admin), await shown(operator)]).toEqual([[], [referenceId]])
    expect(await open()).toMatchObject({ handedBackAt: expect.stringMatching(/^20/) })
    await handBack(operator)
    expect([await shown(operator), await open()]).toEqual([[], null])
  })

  test('not by a third person', async ({ operator, referenceId, open }) => {
    const third = { ...operator, actor: `sso:${userIdOf('9')}` }
    expect(await draftOf(third, 'deposit.hand-back', { referenceId })).toMatchObject({
      fields: { referenceId: 'Only operator@example.com and admin@example.com can end this.' },
    })
    expect(await open(third)).toMatchObject({ reader: null })
  })
})

test('a deposit handed back can be handed over again', async ({ admin, handOver, handBack }) => {
  await handOver()
  await handBack(admin)
  await handOver({ reason: '' })
  expect(await handOversFor(admin)).toMatchObject([{ handedBackAt: null, reason: '' }])
})

describe('is refused, with the field and the rule', () => {
  test.for<[string, (people: Readonly<Record<'operator' | 'viewer', Session>>) => object, object]>([
    ['oneself', ({ operator }) => ({ to: operator.actor }), { to: expect.stringContaining('to yourself') }],
    ['nobody', () => ({ to: '' }), { to: 'Choose a colleague.' }],
    ['a made-up person', () => ({ to: 'sso:somebody' }), { to: expect.stringContaining('not known here') }],
    [
      'a person without the scope',
      ({ viewer }) => ({ to: viewer.actor }),
      { to: expect.stringContaining('may not confirm') },
    ],
    ['the recipient', () => ({ to: `sso:${userIdOf('11')}` }), { to: expect.stringContaining('recipient') }],
    ['a card number', () => ({ reason: '4242 4242 4242 4242' }), { reason: expect.stringContaining('card number') }],
    ['a wrong amount', () => ({ statementAmount: '1,2' }), { statementAmount: expect.stringContaining('comma') }],
  ])('%s', async ([_what, change, fields], { operator, viewer, refusal }) => {
    expect(await refusal(change({ operator, viewer }))).toEqual({ ok: false, fields, problem: null })
  })

  test('a colleague whose limit does not fit', async ({ service, admin, refusal, confirm }) => {
    await confirm(admin, await service.announceDeposit('50'), '50')
    expect(await refusal()).toMatchObject({ fields: { to: expect.stringContaining('does not fit') } })
  })

  test('the recipient, who cannot confirm it either', async ({ operator, refusal }) => {
    const recipient = { ...operator, userId: userIdOf('11') }
    expect(await refusal({}, recipient)).toMatchObject({
      fields: { referenceId: expect.stringContaining('recipient') },
    })
  })

  test('a deposit that is confirmed', async ({ admin, refusal, confirm }) => {
    await confirm(admin)
    expect(await refusal()).toMatchObject({ fields: { referenceId: expect.stringContaining('Only a queued deposit') } })
  })

  test('a deposit that is handed over already', async ({ handOver, refusal }) => {
    await handOver()
    expect(await refusal()).toMatchObject({
      fields: { referenceId: expect.stringMatching(/^Already handed to admin@example.com by operator/) },
    })
  })

  test('the viewer, who does not see it either', async ({ viewer, referenceId, handOver, refusal, open }) => {
    await handOver()
    expect(await refusal({}, viewer)).toMatchObject({ problem: { status: 403 } })
    expect(await draftOf(viewer, 'deposit.hand-back', { referenceId })).toMatchObject({ problem: { status: 403 } })
    expect([await shown(viewer), await open(viewer)]).toEqual([[], null])
  })
})

test('of eight at once, one is written', async ({ admin, referenceId, handOver }) => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => handOver().catch(() => null)))
  expect(replies.filter((reply) => reply?.command.outcome.class === 'done')).toHaveLength(1)
  expect(await shown(admin)).toEqual([referenceId])
})

test('only other people with scope and room are offered, by name', async ({ operator, admin, confirm }) => {
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

test('a sender who gave the bank’s reference may not approve it', async ({
  operator,
  referenceId,
  handOver,
  handBack,
}) => {
  const editors = async () => await editorsOf(await store(), { referenceId, bankReference: 'ATL 7' })
  await handOver()
  expect(await editors()).toEqual([])
  await handBack(operator)
  await handOver({ bankReference: 'ATL 7' })
  expect(await editors()).toEqual([operator.actor])
})
