import { describe, expect, onTestFinished } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { settleByHand } from '#lib/commands/settle.ts'
import { findCommand, moveCommand } from '#lib/commands/store.ts'
import { unknownOutcome } from '#lib/commands/view.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { store } from '#lib/store/store.ts'
import { ANA, BEN, ISSUE, NEW_CARD, OPERATOR, cardTest as test } from '#lib/testing/card-world.ts'
import { draftOf, serviceKindOrFail } from '#lib/testing/command-run.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { signedInUnread } from '#lib/testing/test-session.ts'
import { findCardOfCommand, typedForIssue } from './issued-cards.ts'

const CONFIRMED = { code: null, proof: null }

function failStore(): () => void {
  const whole = peekPerProcess('store')
  const failing = Promise.reject(new DatabaseError('ECONNREFUSED', 'connect'))
  failing.catch(() => {})
  putPerProcess('store', failing)
  return () => putPerProcess('store', whole)
}

const dumpedText = async () => JSON.stringify([...(await dumpStore())])

describe('issuing a card', () => {
  test('tells its number once, and keeps all but the number', async ({ issueCard }) => {
    const { once, command, card } = await issueCard()
    const number = once?.what === 'card-number' ? once.cardNumber : ''
    expect(number).toMatch(/^\d{16}$/)
    expect(command.outcome.class).toBe('done')
    expect(card).toMatchObject({
      last4: number.slice(-4),
      user_id: ANA,
      card_type: 1,
      card_type_name: 'Classic',
      printed_name: 'Ana Alvarez',
      issuer: `sso:${OPERATOR}`,
      issuer_name: 'operator@example.com',
      came: 'issued',
      blocked_at: null,
    })
    expect(JSON.stringify(command)).not.toContain(number)
    expect(await dumpedText()).not.toContain(number)
    expect(await dumpedText()).toContain(number.slice(-4))
  })

  test('issues to an id that was pasted with invisible characters', async ({ issueCard }) => {
    const { card } = await issueCard({ ...NEW_CARD, userId: `\u200E${ANA.slice(0, 8)}\u00AD${ANA.slice(8)}\u200B` })
    expect(card).toMatchObject({ user_id: ANA })
  })

  test('is refused to the holder', async ({ operator }) => {
    const params = { ...NEW_CARD, userId: OPERATOR.toUpperCase() }
    expect(await draftOf(operator, 'card.issue', params)).toMatchObject({
      ok: false,
      fields: { userId: 'The holder cannot issue their own card. Someone else must.' },
    })
  })

  test('sends the card type as the number that was typed', async ({ issueCard }) => {
    const { card } = await issueCard({ ...NEW_CARD, cardType: ' 2 ' })
    expect(card).toMatchObject({ card_type: 2, card_type_name: 'Business' })
  })

  test('a type that this console has read is confirmed by its number and name, as its field shows it', async ({
    operator,
    issueCard,
  }) => {
    await issueCard()
    const drafted = await draftOf(operator, 'card.issue', { ...NEW_CARD, userId: BEN })
    expect(drafted.ok && drafted.draft.lines).toContainEqual({ label: 'Card type', value: '1 Classic', as: 'text' })
  })

  test('the name of a type that becomes known before the confirmation is nothing that changed', async ({
    operator,
    admin,
    issueCard,
  }) => {
    const drafted = await draftOf(operator, 'card.issue', NEW_CARD)
    await issueCard({ ...NEW_CARD, userId: OPERATOR }, admin)
    const given = { code: null, proof: null }
    const reply = await executeCommand(operator, drafted.ok ? drafted.draft.id : '', given, () => {})
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'done' } } })
  })

  test('a lost answer is not known, is not sent again, and holds the holder until it is settled', async ({
    service,
    operator,
    issueCard,
  }) => {
    const before = await service.arrived('POST', ISSUE)
    await service.fault('POST', ISSUE, 'drop-after')
    const { command, once, card } = await issueCard()
    expect([command.outcome.class, once, card]).toEqual(['unknown', null, undefined])
    expect([command.readable, command.settledByHand]).toEqual([false, true])
    const again = await draftOf(operator, 'card.issue', NEW_CARD)
    expect(again).toMatchObject({ ok: false, fields: { userId: expect.stringContaining('operator@example.com') } })
    await settleByHand(operator, command.id, { happened: false, why: 'the holder sees none' })
    expect((await draftOf(operator, 'card.issue', NEW_CARD)).ok).toBe(true)
    expect(await service.arrived('POST', ISSUE)).toBe(before + 1)
  })

  test('tells the number although the store fails after sending', async ({ service, operator }) => {
    const drafted = await draftOf(operator, 'card.issue', NEW_CARD)
    const id = drafted.ok ? drafted.draft.id : ''
    await service.fault('POST', ISSUE, 'hold')
    const issuing = executeCommand(operator, id, CONFIRMED, () => {})
    await service.held(1)
    const restore = failStore()
    onTestFinished(restore)
    await service.clearFaults()
    const reply = await issuing.finally(restore)
    expect(reply).toMatchObject({
      ...{ ok: true, once: { what: 'card-number' } },
      command: { outcome: { class: 'unknown' } },
    })
    await eventually(async () => expect((await findCommand(await store(), id))?.state).toBe('done'))
    expect(await findCardOfCommand(await store(), id)).toBeDefined()
  })

  test('keeps a card that was declared not issued before its answer', async ({ service, operator }) => {
    const drafted = await draftOf(operator, 'card.issue', NEW_CARD)
    const id = drafted.ok ? drafted.draft.id : ''
    await service.fault('POST', ISSUE, 'hold')
    const issuing = executeCommand(operator, id, CONFIRMED, () => {})
    await service.held(1)
    // As another process does while this one cannot reach the store.
    const unknown = JSON.stringify(unknownOutcome({ kind: 'card.issue' }))
    await moveCommand(await store(), id, { from: ['sent'], to: 'unknown', outcome: unknown })
    await settleByHand(operator, id, { happened: false, why: 'the holder sees none' })
    await service.clearFaults()
    expect(await issuing).toMatchObject({ once: { what: 'card-number' }, command: { outcome: { late: true } } })
    expect(await findCommand(await store(), id)).toMatchObject({ state: 'applied', late_at: expect.any(String) })
    expect(await findCardOfCommand(await store(), id)).toBeDefined()
  })

  test('what was typed for one of one’s own can be had again, by nobody else', async ({
    service,
    operator,
    issueCard,
  }) => {
    await service.fault('POST', ISSUE, 'drop-after')
    const { command } = await issueCard()
    expect(await typedForIssue(operator, command.id)).toEqual(NEW_CARD)
    expect(await typedForIssue({ ...operator, actor: 'sso:other' }, command.id)).toBeNull()
    expect(await typedForIssue(operator, 'nothing')).toBeNull()
    await (await store()).updateTable('command').set({ erased_at: new Date().toISOString() }).execute()
    expect(await typedForIssue(operator, command.id)).toBeNull()
  })

  test('is not known after a success that does not parse', async ({ service, issueCard }) => {
    await service.fault('POST', ISSUE, 'garble')
    const { command, once, card } = await issueCard()
    expect([command.outcome.class, once, card]).toEqual(['unknown', null, undefined])
    expect([command.readable, command.settledByHand]).toEqual([false, true])
  })

  test.for([
    ['429', { status: 429, code: 'core::rate', title: 'Slow down', retryAfter: 5 }, 'refused'],
    ['500 with nothing changed', { status: 500, code: 'core::tessera::update::fail', title: 'No' }, 'refused'],
    ['500 of another kind', { status: 500, code: 'core::server::fail', title: 'No' }, 'unknown'],
    ['a cut before anything', 'drop-before', 'unknown'],
  ] as const)('%s', async ([_what, effect, outcomes], { service, issueCard }) => {
    await service.fault('POST', ISSUE, effect)
    expect((await issueCard()).command.outcome.class).toBe(outcomes)
  })

  test('a holder whom the service does not know is refused, with its own words for the field', async ({
    issueCard,
  }) => {
    const { command } = await issueCard({ ...NEW_CARD, userId: '00000000-0000-4000-8000-0000000000ff' })
    expect(command.outcome).toMatchObject({
      class: 'refused',
      sent: true,
      problem: { status: 400, errors: { userId: ['is not a user of this service'] } },
    })
  })

  test('one who may not is told which scope it takes', async ({ service, viewer, issueCard }) => {
    const drafted = await draftOf(viewer, 'card.issue', NEW_CARD)
    expect(drafted).toMatchObject({ ok: false, problem: { status: 403, scope: 'core:cards:create' } })
    const unknown = await issueCard(NEW_CARD, await signedInUnread(service, 'viewer@example.com'))
    const advice = expect.stringContaining('core:cards:create')
    expect(unknown.command.outcome).toMatchObject({ class: 'refused', advice })
  })

  test('two operators for one holder at once: one card', async ({ service, admin, issueCard, cardsOfAna }) => {
    const before = (await cardsOfAna()).length
    await service.fault('POST', ISSUE, 'hold', 2)
    const issues = [issueCard(), issueCard(NEW_CARD, admin)]
    // The first to be answered lost the lock: the other one is at the service.
    await Promise.race(issues.map((issue) => issue.catch(() => null)))
    await service.held(1)
    await service.clearFaults()
    const outcomes = await Promise.allSettled(issues)
    const done = outcomes.filter((one) => one.status === 'fulfilled' && one.value.command.outcome.class === 'done')
    expect(done).toHaveLength(1)
    expect(await cardsOfAna()).toHaveLength(before + 1)
  })

  test('warns of all cards that the holder has from here', async ({ operator, issuedCard }) => {
    const endings: string[] = []
    for (let cards = 0; cards < 6; cards += 1) endings.unshift((await issuedCard()).last4)
    const drafted = await draftOf(operator, 'card.issue', NEW_CARD)
    const warning = expect.stringContaining(`ending ${endings.join(', ')}.`)
    expect(drafted).toMatchObject({ ok: true, draft: { warning } })
  })

  test.for([
    [{ ...NEW_CARD, userId: 'ana@example.com' }, 'userId'],
    [{ ...NEW_CARD, cardType: '1.0' }, 'cardType'],
    [{ ...NEW_CARD, printedName: 'x'.repeat(65) }, 'printedName'],
    [{ ...NEW_CARD, printedName: '9084003072183688' }, 'printedName'],
  ] as const)('%o is refused at its field before anything is kept', async ([params, field], { operator }) => {
    const drafted = await draftOf(operator, 'card.issue', params)
    expect(drafted.ok ? [] : Object.keys(drafted.fields)).toEqual([field])
    expect(await dumpedText()).not.toContain('9084003072183688')
  })
})

test.for([
  ['José Núñez', { printedName: 'JOSE NUNEZ' }, 'agrees'],
  ['Łukasz O’Brien Groß', { printedName: "LUKASZ O'BRIEN GROSS" }, 'agrees'],
  ['Jürgen Müller-Åse Ærø', { printedName: 'JUERGEN MUELLER-AASE AEROE' }, 'agrees'],
  ['Jürgen Müller-Åse Ærø', { printedName: 'JURGEN MULLER-ASE AERO' }, 'agrees'],
  ['Юлия Ким', { printedName: 'YULIYA KIM' }, 'agrees'],
  ['Michael Baer', { printedName: 'MICHEL BARR' }, 'contradicts'],
  ['José Núñez', { printedName: 'Joseph Nunez' }, 'contradicts'],
] as const)('a card for %j that is answered as %j %s', ([printedName, answer, expected]) => {
  const params = { ...NEW_CARD, printedName }
  const data = { ...params, cardType: 1, cardNumber: null, last4: '0011', status: 'UNISSUED', ...answer }
  const answered = { params, facts: {}, data, actorUserId: null }
  expect(serviceKindOrFail('card.issue').compareAnswer(answered)).toBe(expected)
})
