import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { activityPage } from '#lib/activity/activity.ts'
import { ALL_ACTIVITY } from '#lib/activity/activity-filter.ts'
import { commandHistory } from '#lib/activity/history.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { leafWrittenWith } from '#lib/journal/event.ts'
import { inJournal, sequenceAll } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { commandKinds } from '#lib/kind-names.ts'
import { kinds } from '#lib/kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText, saveUnsentText } from '#lib/session/unsent-text.ts'
import { store } from '#lib/store/store.ts'
import { decide, tamper } from '#lib/testing/approval-world.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { openDeposit } from '#lib/testing/open-deposit.ts'
import { storeText } from '#lib/testing/store-text.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { eraseOldText } from './erase-text.ts'
import { exportEvidence } from './evidence.ts'
import { isCommand } from './kind.ts'
import { askForApproval, draftAgain } from './policy/approvals.ts'
import { appendNote, findCommand, insertDraft, moveCommand } from './store.ts'

const CANARY = 'Dolores Canary'
const DAY_MS = 86_400_000

const test = serviceTest
  .extend('environment', { STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve' })
  /** An ended change with a text wherever one can be. */
  .extend('ended', ({ operator, admin }) => async (kind: string, daysAgo = 0, state: 'done' | 'unknown' = 'done') => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - daysAgo * DAY_MS })
    const [db, id] = [await store(), randomUUID()]
    const line = { label: 'Note', value: `says ${CANARY}`, as: 'text' }
    const money = { label: 'Amount', value: '12.50000000', as: 'money' }
    const text = { v: 1, title: `For ${CANARY}`, doneTitle: CANARY, lines: [money, line], consequence: CANARY }
    await insertDraft(db, {
      ...{ id, kind, actor: operator.actor, actorName: operator.displayName, target: userIdOf('77') },
      params: JSON.stringify({ caseId: userIdOf('77'), referenceId: 'DEP~1', anything: CANARY, people: [CANARY] }),
      facts: JSON.stringify({ debit: '12.50000000', payer: CANARY }),
      confirmText: JSON.stringify({ ...text, button: 'Do it', warning: CANARY, proof: null }),
    })
    const outcome = { class: 'done', lines: [line], steps: [{ words: CANARY }] }
    const note = { why: CANARY, by: admin.actor, byName: admin.displayName, decision: 'approved' }
    await moveCommand(db, id, { from: ['draft'], to: state, outcome: JSON.stringify(outcome), note })
    vi.useRealTimers()
    return id
  })
  .extend('requestErasure', ({ operator }) => async (id: string): Promise<string> => {
    const drafted = await request(operator, id)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    await askForApproval(operator, drafted.draft.id, { reason: '', proof: null })
    return drafted.draft.id
  })

beforeEach(() => putPerProcess('text retention', undefined))
afterEach(() => vi.useRealTimers())

const request = (session: Session, id: string, reason = 'The customer asked for it') =>
  draftOf(session, 'change.erase', { id, reason })

const keptFor = (textKeptDays: number | null) => Object.assign(config(), { textKeptDays })
const eventsOf = async (id: string) =>
  await (await store())
    .selectFrom('command_event')
    .selectAll()
    .where('command_id', '=', id)
    .orderBy('sequence')
    .execute()
const faults = async () => {
  await sequenceAll()
  return (await verifyJournal(await store(), config())).faults
}

test('erases every text, and the log stays whole', async ({ operator, ended }) => {
  const [reason, message] = [`resolve:${userIdOf('77')}`, `case:${userIdOf('77')}`]
  for (const [place, text] of Object.entries({ [reason]: CANARY, [message]: `Other\n\n${CANARY}` }))
    await saveUnsentText(operator, place, { text, page: '1', number: 1, base: 0 })
  const id = await ended('case.note', 40)
  await sequenceAll()
  const leaves = async () => (await eventsOf(id)).slice(0, 2).map((event) => leafWrittenWith(event, config().auditKey))
  const before = await leaves()
  expect(await storeText()).toContain(CANARY)
  keptFor(30)
  await eraseOldText()
  expect(await storeText()).not.toContain(CANARY)
  expect((await readUnsentText(operator, message)).text).toBe('Other')
  expect(await leaves()).toEqual(before)
  expect(await faults()).toEqual([])
})

test('keeps who decided what, when, and amounts', async ({ operator, admin, ended }) => {
  const id = await ended('deposit.confirm', 40)
  keptFor(30)
  await eraseOldText()
  const row = await findCommand(await store(), id)
  expect(row).toMatchObject({ state: 'done', actor: operator.actor, actor_name: operator.displayName })
  expect(JSON.parse(row?.params ?? '')).toMatchObject({ referenceId: 'DEP~1', anything: '(erased)', people: [] })
  expect(JSON.parse(row?.facts ?? '')).toEqual({ debit: '12.50000000', payer: '(erased)' })
  const [draft, done, erasure] = (await eventsOf(id)).map(({ body }) => JSON.parse(body))
  expect(draft).toMatchObject({ facts: { debit: '12.50000000' }, effect: row?.effect, actorName: operator.displayName })
  expect(done).toMatchObject({ decision: 'approved', by: admin.actor, byName: admin.displayName })
  expect(erasure).toMatchObject({ keptDays: 30, erased: expect.any(Object) })
})

describe('the change can still be shown', () => {
  test.for(commandKinds.filter((kind) => !/^(passkey|totp)\./.test(kind)))('%s', async (kind, { operator, ended }) => {
    const id = await ended(kind, 40)
    keptFor(30)
    await eraseOldText()
    const history = await commandHistory(operator, id)
    expect(history?.command.title).toBe(`${kinds[kind].label} (erased)`)
    expect(history?.events.map(({ state }) => state)).toEqual(['draft', 'approved', 'erased'])
    expect(history?.summary.map(({ value }) => value)).toContain('12.50000000')
    const { rows } = await activityPage(operator, ALL_ACTIVITY, { page: 1, size: 10 })
    expect(rows.find((row) => row.id === id)?.amount).toBe('12.50000000')
    expect(JSON.stringify([history, rows])).not.toContain(CANARY)
  })
})

test('a request that was declined is not asked for again with “(erased)”', async ({ operator, admin }) => {
  underPolicy({ kind: 'card.block', approval: { by: 1 } })
  const drafted = await draftOf(operator, 'card.block', { cardId: randomUUID(), last4: '', reason: CANARY })
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const { id } = drafted.draft
  await askForApproval(operator, id, { reason: CANARY, proof: null })
  await decide(admin, id, false, CANARY)
  expect(await draftAgain(operator, id)).toMatchObject({ ok: true })
  const settled_at = new Date(Date.now() - 40 * DAY_MS).toISOString()
  await (await store()).updateTable('command').set({ settled_at }).where('id', '=', id).execute()
  keptFor(30)
  await eraseOldText()
  expect(await draftAgain(operator, id)).toBeNull()
  const history = await commandHistory(operator, id)
  expect(history?.command).not.toHaveProperty('mayAskAgain')
  expect(history?.events.map(({ state }) => state)).toEqual(['draft', 'awaiting_approval', 'declined', 'erased'])
  const { rows } = await activityPage(operator, ALL_ACTIVITY, { page: 1, size: 10 })
  expect(rows.find(({ kind }) => kind === 'approval.decline')).toMatchObject({ details: '' })
  expect(JSON.stringify([history, rows.filter(({ record }) => record === id)])).not.toContain(CANARY)
})

describe('records beside the change', () => {
  const insert = async (table: string, record: object) =>
    (await store())
      .insertInto(table as never)
      .values(record as never)
      .execute()
  const card = (id: string, about: object) => ({
    ...{ id: randomUUID(), last4: '1234', user_id: userIdOf('5'), card_type: 1 },
    ...{ card_type_name: 'Debit', printed_name: '' },
    ...{ issuer: 'sso:1', issuer_name: '', issued_at: '', command_id: id, came: 'issued', recorded_by: '' },
    ...{ recorded_at: '', blocked_at: null, blocked_by: null, block_reason: null },
    ...about,
  })
  const line = (about: object) => ({
    ...{ statement_id: 'S', number: 1, place: 1, reference: '', amount: '1', currency: 'BZD', bank_reference: 'B1' },
    ...{ booked_on: '', text: '', fingerprint: '', sought: '', sought_from: 'field', bank_used: '', verdict: 'unread' },
    ...about,
  })
  const of = { case_id: userIdOf('7'), author: 'sso:1', author_name: '', at: '' }
  const over = { reference: 'DEP~1', from_actor: '', from_name: '', to_actor: '', to_name: '', amount: '', at: '' }
  const records: Readonly<Record<string, (id: string) => readonly [string, object]>> = {
    'case.note': (id) => ['case_note', { ...of, id, text: CANARY }],
    'case.reassign': (id) => ['case_note', { ...of, id, text: CANARY }],
    'deposit.hand-over': (id) => [
      'hand_over',
      { ...over, command_id: id, bank_reference: '', statement_amount: '', reason: CANARY },
    ],
    'card.issue': (id) => ['issued_card', card(id, { printed_name: CANARY })],
    'card.register': (id) => ['issued_card', card(id, { id: userIdOf('77'), printed_name: CANARY })],
    'card.block': (id) => ['issued_card', card(id, { id: userIdOf('77'), block_reason: CANARY })],
    'deposit.confirm': (id) => ['statement_line', line({ command_id: id, text: CANARY, payer_name: CANARY })],
  }

  test.for(Object.keys(records))('lose the text of %s too', async (kind, { ended }) => {
    const id = await ended(kind, 40)
    const statement = { owner: '', owner_name: '', file_name: '', digest: '', format: '', taken_at: '', left_out: 0 }
    await insert('statement', { id: 'S', ...statement })
    await insert(...(records[kind]?.(id) ?? ['', {}]))
    keptFor(30)
    await eraseOldText()
    expect(await storeText()).not.toContain(CANARY)
  })

  test.for([
    ['block', { block_reason: 'Found in a taxi' }],
    ['register', { printed_name: 'Ben Bell' }],
  ] as const)('keep the text of another change: %s', async ([what, about], { ended }) => {
    const id = await ended(`card.${what}`, 40)
    await insert('issued_card', card(id, { id: userIdOf('77'), ...about }))
    keptFor(30)
    await eraseOldText()
    expect(await storeText()).toContain(Object.values(about)[0])
  })
})

test.for([
  ['open', 'deposit.confirm', 40, 'unknown'],
  ['younger', 'case.note', 20, 'done'],
  ['a second factor', 'passkey.remove', 40, 'done'],
] as const)('keeps the text of a change that is %s', async ([_what, kind, daysAgo, state], { ended }) => {
  await ended(kind, daysAgo, state)
  keptFor(30)
  await eraseOldText()
  expect(await storeText()).toContain(CANARY)
})

test('keeps the text of a change that may still happen', async ({ operator, ended }) => {
  const id = await ended('deposit.confirm', 40)
  const reconcile_until = new Date(Date.now() + DAY_MS).toISOString()
  await (await store()).updateTable('command').set({ reconcile_until }).where('id', '=', id).execute()
  keptFor(30)
  await eraseOldText()
  expect(await request(operator, id)).toMatchObject({ ok: false, fields: { id: expect.any(String) } })
  expect(await storeText()).toContain(CANARY)
})

test('keeps texts for ever without TEXT_KEPT_DAYS', async ({ ended }) => {
  await ended('case.note', 40_000)
  keptFor(null)
  await eraseOldText()
  expect(await storeText()).toContain(CANARY)
})

test.for([
  ['a field taken out', `UPDATE command_event SET body = replace(body, '"why":', '"whx":')`],
  ['a field taken out as if erased', null],
] as const)('a store writer without the key cannot erase: %s', async ([_what, statement], { ended }) => {
  const id = await ended('case.note')
  await sequenceAll()
  if (statement !== null) await tamper(sql.raw(statement))
  else {
    const { withoutFields } = await import('#lib/journal/event.ts')
    const [event] = await eventsOf(id)
    const { body, salts, erased } = withoutFields(event!, new Set(['params.anything']))
    await tamper(
      sql`UPDATE command_event SET body = ${body}, salts = ${salts}, erased = ${erased} WHERE sequence = ${event!.sequence}`,
    )
  }
  expect(await faults()).not.toEqual([])
})

test('finds another text in place of an erased one', async ({ ended }) => {
  const id = await ended('case.note', 40)
  keptFor(30)
  await eraseOldText()
  await sequenceAll()
  const [event] = await eventsOf(id)
  const [body, salts] = [JSON.parse(event!.body), JSON.parse(event!.salts!)]
  const forged = JSON.stringify({ ...body, params: { ...body.params, anything: 'Forged' } })
  const salted = JSON.stringify({ ...salts, 'params.anything': Buffer.alloc(16).toString('base64') })
  await tamper(sql`UPDATE command_event SET body = ${forged}, salts = ${salted} WHERE sequence = ${event!.sequence}`)
  expect(await faults()).toContainEqual({ sequence: event!.sequence, what: 'was changed after it was written' })
})

test('a check finds no fault in texts erased meanwhile', async ({ ended }) => {
  await ended('case.note', 40)
  await sequenceAll()
  keptFor(30)
  const meanwhile = vi.fn(() => eraseOldText().then(sequenceAll))
  const db = (await store()).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isHead = result.rows.some((row) => 'cosigned' in row)
      if (isHead && meanwhile.mock.calls.length === 0) await meanwhile()
      return result
    },
  })
  expect((await verifyJournal(db, config())).faults).toEqual([])
  expect(await storeText()).not.toContain(CANARY)
})

describe('on request', () => {
  test('erases once an administrator has approved it', async ({ operator, admin, ended, requestErasure }) => {
    const id = await ended('deposit.confirm')
    const erasure = await requestErasure(id)
    await executeForTest(operator, erasure)
    expect(await storeText()).toContain(CANARY)
    expect(await decide(admin, erasure)).toMatchObject({ ok: true })
    await executeForTest(operator, erasure)
    expect(await storeText()).not.toContain(CANARY)
    expect(JSON.parse((await eventsOf(id)).at(-1)?.body ?? '')).toMatchObject({ erasure, by: operator.actor })
    const history = await commandHistory(operator, id)
    expect(history).toMatchObject({ erasedAt: expect.any(String), erasable: false })
    expect(await faults()).toEqual([])
  })

  test('nobody approves who does not administer', async ({ service, operator, ended, requestErasure }) => {
    const erasure = await requestErasure(await ended('deposit.confirm'))
    const colleague = await signedIn(service, 'newcomer@example.com', userIdOf('4'))
    expect(await decide(colleague, erasure)).toMatchObject({ ok: false })
    await executeForTest(operator, erasure)
    expect(await storeText()).toContain(CANARY)
  })

  test.for([
    ['it is open', 'deposit.confirm', 'unknown'],
    ['it is not there', null, 'done'],
    ['it is a second factor', 'passkey.remove', 'done'],
  ] as const)('refuses when %s', async ([_why, kind, state], { operator, ended }) => {
    const id = kind === null ? randomUUID() : await ended(kind, 0, state)
    expect(await request(operator, id)).toMatchObject({ ok: false, fields: { id: expect.any(String) } })
  })

  test('refuses people who may not make such a change', async ({ service, operator, ended }) => {
    const id = await ended('deposit.confirm')
    const arbitrator = await signedIn(service, 'arbitrator@example.com', userIdOf('2'))
    expect(await request(arbitrator, id)).toMatchObject({ ok: false, fields: { id: expect.any(String) } })
    expect(await commandHistory(operator, id)).toMatchObject({ erasable: true, erasedAt: null })
  })

  test('refuses without a reason', async ({ operator, ended }) => {
    const id = await ended('deposit.confirm')
    expect(await request(operator, id, ' ')).toMatchObject({ ok: false, fields: { reason: expect.any(String) } })
  })

  test('says nothing of the text itself', async ({ operator, ended }) => {
    const drafted = await request(operator, await ended('deposit.confirm'))
    const erases = drafted.ok ? drafted.draft.lines.find(({ label }) => label === 'Erases')?.value : null
    expect(erases).toBe('anything, people, payer, what was confirmed, reason')
    expect(JSON.stringify(drafted)).not.toContain(CANARY)
  })
})

test.for([true, false])('the settled change loses the reason: happened %s', async (happened, { service, operator }) => {
  underPolicy({ kind: 'deposit.settle', limit: { count: 5 } })
  const id = await openDeposit(service, operator, '50')
  const settling = await draftForTest(operator, 'deposit.settle', { id, happened, why: CANARY })
  await executeForTest(operator, settling)
  const outcomeOf = async () => (await findCommand(await store(), id))?.outcome
  expect(await outcomeOf()).toContain(CANARY)
  const settled_at = new Date(Date.now() - 40 * DAY_MS).toISOString()
  await (await store()).updateTable('command').set({ settled_at }).where('id', '=', settling).execute()
  keptFor(30)
  await eraseOldText()
  expect(await outcomeOf()).not.toContain(CANARY)
  expect(await storeText()).not.toContain(CANARY)
  expect(await faults()).toEqual([])
})

test('evidence of a change loses its title with it', async ({ operator, ended }) => {
  const id = await ended('deposit.confirm', 40)
  const exported = await exportEvidence(operator, id)
  expect(exported?.ok && JSON.stringify(exported.dossier)).toContain(CANARY)
  keptFor(30)
  await eraseOldText()
  expect(await storeText()).not.toContain(CANARY)
  expect(await faults()).toEqual([])
})

test('a text that came after an erasure can be erased too', async ({ ended }) => {
  const id = await ended('deposit.confirm', 40)
  keptFor(30)
  const db = await store()
  const notes = [async () => {}, () => inJournal(db, async (trx) => appendNote(trx, id, { why: CANARY }))]
  for (const note of notes) {
    await note()
    await eraseOldText()
    putPerProcess('text retention', undefined)
  }
  expect(await storeText()).not.toContain(CANARY)
  expect((await eventsOf(id)).filter(({ erased }) => erased !== null)).toHaveLength(3)
  expect(await faults()).toEqual([])
})

test('an altered change does not keep others from being erased', async ({ ended }) => {
  const [altered, other] = [await ended('case.note', 50), await ended('deposit.confirm', 40)]
  await tamper(
    sql`UPDATE command SET params = 'x', facts = '[]', outcome = '{', confirm_text = '1' WHERE id = ${altered}`,
  )
  await tamper(sql`UPDATE command_event SET salts = '{}' WHERE command_id = ${altered} AND state = 'done'`)
  keptFor(30)
  await eraseOldText()
  expect((await findCommand(await store(), other))?.params).not.toContain(CANARY)
  expect(await findCommand(await store(), altered)).toMatchObject({ params: '{}', facts: '{}' })
})

test('a text like a word of the console does not change the outcome', async ({ ended }) => {
  const id = await ended('deposit.confirm', 40)
  const db = await store()
  await inJournal(db, async (trx) => appendNote(trx, id, { why: 'done' }))
  keptFor(30)
  await eraseOldText()
  expect(JSON.parse((await findCommand(db, id))?.outcome ?? '')).toMatchObject({ class: 'done' })
})

test('each kind that writes a text beside its change erases it', () => {
  const erasing = Object.values(kinds).filter((kind) => kind.eraseText !== undefined)
  expect(erasing.map(({ kind }) => kind)).toEqual([
    ...['deposit.confirm', 'deposit.hand-over', 'card.issue', 'card.register', 'card.block'],
    ...['case.reassign', 'case.note', 'statement.edit-line'],
  ])
  expect(erasing.filter(isCommand)).toHaveLength(7)
})
