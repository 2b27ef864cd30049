import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect } from 'vitest'
import { startAgain, startCommand } from '#lib/commands/execute.ts'
import { appendNote, findCommand, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { awaiting, bodiesOf, draftDeposit, effectOf, stateOf, tamper } from '#lib/testing/approval-world.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'
import { optionsFor, passkeyOf, sendWith } from '#lib/testing/passkey-world.ts'
import { SoftPasskey } from '#lib/testing/soft-passkey.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { addPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { askForApproval, decideApproval } from './approvals.ts'
import { findPasskey, recordPasskeyUse, type StoredAssertion, saveChallenge, takeChallenge } from './passkey-table.ts'
import { askPasskey } from './passkeys.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const RULE = { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, passkey: true }

const test = serviceTest
  .extend('rules', [RULE])
  .extend('maker', ({ operator }) => operator)
  .extend('before', ({ service }) => service.arrived('POST', CONFIRM))
  /** How many confirmations have reached the service in this test. */
  .extend('sent', ({ service, before }) => async (): Promise<number> => {
    return (await service.arrived('POST', CONFIRM)) - before
  })

const asksFor = (need: string) => ({ outcome: { class: 'step-up', need } })
const rejected = { outcome: { class: 'step-up', need: 'passkey', rejected: true } }

test('sends with a passkey that anyone can verify later', async ({ service, maker, sent }) => {
  const passkey = await passkeyOf(maker)
  const { id } = await draftDeposit(service, maker, '600')
  expect(await sendWith(maker, id, null)).toMatchObject(asksFor('passkey'))
  expect((await sendWith(maker, id, passkey.sign(await optionsFor(maker, id)))).outcome.class).toBe('done')
  expect(await sent()).toBe(1)

  const effect = await effectOf(id)
  const bodies = await bodiesOf(id)
  expect(bodies.map(({ state, assertion }) => [state, assertion !== undefined])).toEqual([
    ['draft', false],
    ['draft', true],
    ['sent', false],
    ['done', false],
  ])
  const assertion = bodies[1]?.assertion as StoredAssertion
  expect(assertion).toMatchObject({ by: maker.actor, credentialId: passkey.id })
  expect(Buffer.from(assertion.challenge, 'base64url').toString('hex').slice(0, 64)).toBe(effect)
  expect(signatureHolds(assertion)).toBe(true)
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
})

/** With nothing but the event: the key's two coordinates end its COSE form. */
function signatureHolds({
  publicKey,
  clientDataJSON,
  authenticatorData,
  signature,
  challenge,
}: StoredAssertion): boolean {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const cose = bytes(publicKey)
  const [x, y] = [cose.subarray(-67, -35).toString('base64url'), cose.subarray(-32).toString('base64url')]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.concat([bytes(authenticatorData), createHash('sha256').update(bytes(clientDataJSON)).digest()])
  const signedChallenge = (JSON.parse(bytes(clientDataJSON).toString()) as { challenge: string }).challenge
  return signedChallenge === challenge && verify('sha256', signed, key, bytes(signature))
}

test('a smaller one takes none; who has no passkey is told where to add one', async ({ service, maker, sent }) => {
  const small = await draftDeposit(service, maker, '499')
  expect((await sendWith(maker, small.id, null)).outcome.class).toBe('done')
  const { id } = await draftDeposit(service, maker, '600')
  expect(await sendWith(maker, id, null)).toMatchObject(asksFor('passkey-enrolment'))
  expect(await askPasskey(maker, id)).toMatchObject({ ok: false, problem: { status: 409 } })
  expect([await stateOf(id), await sent()]).toEqual(['draft', 1])
})

describe('nothing is sent', () => {
  test('by what was signed once: neither the same change nor another one', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const [one, other] = [await draftDeposit(service, maker, '600'), await draftDeposit(service, maker, '601')]
    const signed = passkey.sign(await optionsFor(maker, one.id))
    await sendWith(maker, one.id, signed)
    expect(await sendWith(maker, other.id, signed)).toMatchObject(rejected)
    const third = await draftDeposit(service, maker, '602')
    const forOther = passkey.sign(await optionsFor(maker, third.id))
    expect(await sendWith(maker, other.id, forOther)).toMatchObject(rejected)
    expect(await sent()).toBe(1)
  })

  test('by an earlier counter than the one of the last use', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const [one, other] = [await draftDeposit(service, maker, '600'), await draftDeposit(service, maker, '601')]
    const earlier = passkey.sign(await optionsFor(maker, other.id))
    await sendWith(maker, one.id, passkey.sign(await optionsFor(maker, one.id)))
    expect(await sendWith(maker, other.id, earlier)).toMatchObject(rejected)
    expect(await sent()).toBe(1)
  })

  test('without user verification, or for another origin, host or frame', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const { id } = await draftDeposit(service, maker, '600')
    const wrongs = [
      { unverified: true },
      { origin: 'https://evil.example' },
      { host: 'evil.example' },
      { crossOrigin: true },
    ] as const
    for (const wrong of wrongs) {
      const signed = passkey.sign(await optionsFor(maker, id), wrong)
      expect(await sendWith(maker, id, signed), JSON.stringify(wrong)).toMatchObject(rejected)
    }
    expect(await sent()).toBe(0)
  })

  test('by somebody else’s passkey, or one that nobody has', async ({ service, admin, maker, sent }) => {
    const [, theirs] = [await passkeyOf(maker), await passkeyOf(admin)]
    const { id } = await draftDeposit(service, maker, '600')
    for (const passkey of [theirs, new SoftPasskey()]) {
      const signed = passkey.sign(await optionsFor(maker, id))
      expect(await sendWith(maker, id, signed)).toMatchObject(rejected)
    }
    expect((await optionsFor(maker, id)).allowCredentials?.map((it) => it.id)).not.toContain(theirs.id)
    expect(await sent()).toBe(0)
  })

  test('by a passkey that was put into the store beside the console', async ({ service, admin, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const { id } = await draftDeposit(service, maker, '600')
    const other = await passkeyOf(admin)
    const db = await store()
    await db.updateTable('passkey').set({ actor: maker.actor, slot: 2 }).where('id', '=', other.id).execute()
    expect(await sendWith(maker, id, other.sign(await optionsFor(maker, id)))).toMatchObject(rejected)
    const { public_key } = await db
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', other.id)
      .executeTakeFirstOrThrow()
    await db.updateTable('passkey').set({ public_key, counter: 0 }).where('id', '=', passkey.id).execute()
    const signed = { ...other.sign(await optionsFor(maker, id)), id: passkey.id }
    expect(await sendWith(maker, id, signed)).toMatchObject(rejected)
    expect(await sent()).toBe(0)
  })

  test('after two minutes', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const { id } = await draftDeposit(service, maker, '600')
    const signed = passkey.sign(await optionsFor(maker, id))
    const late = { expires_at: sql<number>`expires_at - 120` }
    await (await store()).updateTable('passkey_challenge').set(late).execute()
    expect(await sendWith(maker, id, signed)).toMatchObject(rejected)
    expect(await sent()).toBe(0)
  })

  test('when what it was prepared on is no longer so', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const { id, referenceId } = await draftDeposit(service, maker, '600')
    const signed = passkey.sign(await optionsFor(maker, id))
    const { accessToken: token } = await service.login('operator@example.com')
    await service.call('POST', CONFIRM, { token, body: { referenceId, bankReference: 'elsewhere' } })
    expect((await sendWith(maker, id, signed)).outcome.class).toBe('changed')
    expect(await sent()).toBe(1)
  })

  test('by the transition itself, and by an assertion that was put into the store beside the console', async ({
    service,
    maker,
    sent,
  }) => {
    const passkey = await passkeyOf(maker)
    const db = await store()
    const { id } = await draftDeposit(service, maker, '600')
    const put = { challenge: 'x', command_id: id, actor: maker.actor, effect: await effectOf(id), at: 1e12 }
    await db
      .insertInto('passkey_assertion')
      .values({ ...put, credential_id: passkey.id })
      .execute()
    expect(await startCommand(db, id, [])).toMatchObject({ ok: false })
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'closed', denial: 'passkey-missing' })
    expect(await sent()).toBe(0)
    await expect(sql`UPDATE passkey_assertion SET at = 0`.execute(db)).rejects.toThrow()
  })
})

test.for([
  [270, 'draft', true],
  [301, 'draft', false],
  [301, 'challenged', true],
] as const)('a passkey counts %s seconds after signing a %s: %s', async ([seconds, state, ok], { service, maker }) => {
  const [wanted, passkey, db] = [config(), await passkeyOf(maker), await store()]
  const { id } = await draftDeposit(service, maker, '600')
  putPerProcess('config', { ...wanted, stepUpExtra: ['deposit.confirm'] })
  await sendWith(maker, id, passkey.sign(await optionsFor(maker, id)))
  putPerProcess('config', wanted)
  const { assertion, assertedAt } = (await bodiesOf(id)).at(-1)!
  const at = Number(assertedAt) - seconds
  await tamper(sql`UPDATE passkey_assertion SET at = ${at}`)
  await inJournal(db, async (trx) => appendNote(trx, id, { assertion, assertedAt: at }))
  await moveCommand(db, id, { from: ['draft'], to: state })
  expect((await (state === 'draft' ? startCommand(db, id, []) : startAgain(db, id))).ok).toBe(ok)
  expect((await bodiesOf(id)).at(-1)?.denial).toBe(ok ? undefined : 'passkey-missing')
})

test('a wrong code and a wrong passkey are different things: what is refused is in the audit trail', async ({
  service,
  maker,
}) => {
  const passkey = await passkeyOf(maker)
  const { id } = await draftDeposit(service, maker, '600')
  await sendWith(maker, id, passkey.sign(await optionsFor(maker, id), { unverified: true }))
  const db = await store()
  const [entry] = await db.selectFrom('audit_entry').selectAll().where('kind', '=', 'passkey.reject').execute()
  expect(entry).toMatchObject({ actor: maker.actor, about: id })
  expect(JSON.parse(entry?.facts ?? '')).toEqual({ change: 'deposit.confirm', why: 'not-verified' })
})

test('keeps the higher counter of two uses at once', async ({ maker }) => {
  const [{ id }, db] = [await passkeyOf(maker), await store()]
  for (const counter of [6, 5]) await recordPasskeyUse(db, id, { counter, backed_up: false })
  expect(await findPasskey(db, maker.actor, id)).toMatchObject({ counter: 6 })
})

const MADE_UP = { id: 'AAAA', response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }

const rejections = async (): Promise<readonly string[]> => {
  const entries = (await store()).selectFrom('audit_entry').selectAll().where('kind', '=', 'passkey.reject')
  return (await entries.orderBy('at').execute()).map(({ about, facts }) => `${about} ${JSON.parse(facts).why}`)
}

test('the trail has repeated refusals of a passkey once', async ({ service, admin, maker }) => {
  const [passkey, { id }] = [await passkeyOf(maker), await draftDeposit(service, maker, '600')]
  for (let time = 0; time < 3; time += 1) {
    await sendWith(maker, id, MADE_UP)
    await sendWith(maker, id, passkey.sign({ challenge: 'AAAA' }))
  }
  underPolicy({ ...RULE, passkey: undefined, approval: { by: 1, passkey: true } })
  const awaited = await awaiting(service, maker, '601')
  const decision = { approves: true, effect: await effectOf(awaited.id), reason: '', passkey: MADE_UP }
  for (let time = 0; time < 3; time += 1) await decideApproval(admin, awaited.id, decision)
  expect(await rejections()).toEqual([`${id} not-theirs`, `${id} not-asked`, `${awaited.id} not-theirs`])
})

describe('an approver', () => {
  const APPROVED = { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1, passkey: true } }

  test('approves with a passkey where the rule asks for it, and declines without', async ({
    service,
    admin,
    maker,
  }) => {
    underPolicy(APPROVED)
    const passkey = await passkeyOf(admin)
    const { id } = await awaiting(service, maker, '600')
    const decision = { approves: true, effect: await effectOf(id), reason: '' }
    expect(await decideApproval(admin, id, decision)).toMatchObject({ ok: false, problem: { status: 409 } })
    const unverified = passkey.sign(await optionsFor(admin, id), { unverified: true })
    expect(await decideApproval(admin, id, { ...decision, passkey: unverified })).toMatchObject({ ok: false })
    const signed = passkey.sign(await optionsFor(admin, id))
    expect(await decideApproval(admin, id, { ...decision, passkey: signed })).toMatchObject({ ok: true })
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ decision: 'approved', assertion: { by: admin.actor } })
    expect((await sendWith(maker, id, null)).outcome.class).toBe('done')

    const other = await awaiting(service, maker, '601')
    const no = { approves: false, effect: await effectOf(other.id), reason: 'No' }
    expect(await decideApproval(admin, other.id, no)).toMatchObject({ ok: true })
    expect(await stateOf(other.id)).toBe('closed')
  })

  test('is not there for the author, nor the author for them', async ({ service, admin, maker }) => {
    underPolicy(APPROVED, RULE)
    const [own, theirs] = [await passkeyOf(maker), await passkeyOf(admin)]
    const { id } = await draftDeposit(service, maker, '600')
    await askForApproval(maker, id, { reason: 'x', proof: null })
    const decision = { approves: true, effect: await effectOf(id), reason: '' }
    await decideApproval(admin, id, { ...decision, passkey: theirs.sign(await optionsFor(admin, id)) })
    expect(await sendWith(maker, id, null)).toMatchObject(asksFor('passkey'))
    expect((await sendWith(maker, id, own.sign(await optionsFor(maker, id)))).outcome.class).toBe('done')
    expect((await findCommand(await store(), id))?.state).toBe('done')
  })
})

/** Somebody who can write to the store in every way, past its triggers, and does not hold AUDIT_KEY. */
describe('a passkey altered in the store', () => {
  test('that its person removed confirms nothing when it is put back', async ({ service, maker, sent }) => {
    const [lost, other] = [await passkeyOf(maker, 'Lost'), await passkeyOf(maker)]
    const removal = await draftForTest(maker, 'passkey.remove', { id: lost.id, way: 'passkey' })
    const row = await (await store())
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', lost.id)
      .executeTakeFirstOrThrow()
    expect((await sendWith(maker, removal, other.sign(await optionsFor(maker, removal)))).outcome.class).toBe('done')
    await tamper(sql`UPDATE command SET target = 'x', kind = 'x', actor = 'x' WHERE id = ${removal}`)
    await (await store()).insertInto('passkey').values(row).execute()
    const { id } = await draftDeposit(service, maker, '600')
    expect((await sendWith(maker, id, lost.sign(await optionsFor(maker, id)))).outcome).toMatchObject({
      rejected: true,
    })
    expect(await sent()).toBe(0)
  })

  test('confirms after a removal that the store made up', async ({ service, maker }) => {
    const passkey = await passkeyOf(maker)
    const body = JSON.stringify({ kind: 'passkey.remove', target: passkey.id })
    await tamper(sql`INSERT INTO command_event (sequence, at, state, actor, body, salts, mac)
      VALUES (900, '2026-01-01', 'done', ${maker.actor}, ${body}, '{}', 'forged')`)
    const { id } = await draftDeposit(service, maker, '600')
    expect((await sendWith(maker, id, passkey.sign(await optionsFor(maker, id)))).outcome.class).toBe('done')
  })

  test('of somebody else confirms nothing when it is made theirs', async ({ service, admin, maker, sent }) => {
    const theirs = await passkeyOf(admin)
    await tamper(sql`UPDATE passkey SET actor = ${maker.actor}`)
    await tamper(sql`UPDATE command SET actor = ${maker.actor} WHERE kind = 'passkey.add'`)
    const { id } = await draftDeposit(service, maker, '600')
    expect((await sendWith(maker, id, theirs.sign(await optionsFor(maker, id)))).outcome).toMatchObject({
      rejected: true,
    })
    expect(await sent()).toBe(0)
  })

  test('confirms nothing by what it signed for another change', async ({ service, maker, sent }) => {
    const passkey = await passkeyOf(maker)
    const { id: first } = await draftDeposit(service, maker, '600')
    const options = await optionsFor(maker, first)
    const signed = passkey.sign(options)
    expect((await sendWith(maker, first, signed)).outcome.class).toBe('done')
    const { id } = await draftDeposit(service, maker, '601')
    await tamper(sql`UPDATE passkey SET counter = 0`)
    await tamper(sql`DELETE FROM passkey_assertion`)
    await saveChallenge(await store(), options.challenge, {
      actor: maker.actor,
      command: { id, effect: await effectOf(id) },
    })
    expect((await sendWith(maker, id, signed)).outcome).toMatchObject({ rejected: true })
    expect(await sent()).toBe(1)
  })

  test('is not added by a question that the store made up', async ({ maker }) => {
    const challenge = randomBytes(32).toString('base64url')
    await saveChallenge(await store(), challenge, { actor: maker.actor, command: null })
    expect(await addPasskey(maker, 'Planted', new SoftPasskey().make({ challenge }))).toMatchObject({ ok: false })
  })

  test('of an approver does not stand for the author', async ({ service, admin, maker, sent }) => {
    underPolicy(RULE, { ...RULE, passkey: undefined, approval: { by: 1, passkey: true } })
    const theirs = await passkeyOf(admin)
    const { id } = await awaiting(service, maker, '600')
    const decision = { approves: true, effect: await effectOf(id), reason: '' }
    await decideApproval(admin, id, { ...decision, passkey: theirs.sign(await optionsFor(admin, id)) })
    await tamper(sql`UPDATE passkey SET actor = ${maker.actor}`)
    await tamper(sql`UPDATE passkey_assertion SET actor = ${maker.actor}`)
    expect((await sendWith(maker, id, null)).outcome).toMatchObject({ need: 'passkey' })
    expect(await sent()).toBe(0)
  })

  test.for<[what: string, RawBuilder<unknown>]>([
    ['its time', sql`UPDATE passkey_assertion SET at = at + 60`],
    ['its effect', sql`UPDATE passkey_assertion SET effect = ${'f'.repeat(64)}`],
    ['its passkey', sql`UPDATE passkey_assertion SET credential_id = 'x'`],
    ['its challenge', sql`UPDATE passkey_assertion SET challenge = 'x'`],
    ['its person', sql`UPDATE passkey_assertion SET actor = 'x'`],
    ['the key of its passkey', sql`UPDATE passkey SET public_key = 'x'`],
  ])('is asked for again after a change of %s', async ([_what, statement], { service, maker, sent }) => {
    const wanted = config()
    const passkey = await passkeyOf(maker)
    const { id } = await draftDeposit(service, maker, '600')
    // Signed for, and held up by a code.
    putPerProcess('config', { ...wanted, stepUpExtra: ['deposit.confirm'] })
    const held = await sendWith(maker, id, passkey.sign(await optionsFor(maker, id)))
    expect(held.outcome).toMatchObject({ need: 'enrolment' })
    putPerProcess('config', wanted)
    await tamper(statement)
    expect((await sendWith(maker, id, null)).outcome).toMatchObject({ need: 'passkey' })
    expect(await startCommand(await store(), id, [])).toMatchObject({ ok: false })
    expect(await sent()).toBe(0)
  })
})

test('takes no challenge that was made for another person', async ({ service, maker, admin }) => {
  const { id } = await draftDeposit(service, maker, '600')
  const [db, challenge, command] = [await store(), 'challenge', { id, effect: await effectOf(id) }]
  await saveChallenge(db, challenge, { actor: maker.actor, command })
  expect(await takeChallenge(db, challenge, { actor: admin.actor, command })).toBe(false)
  expect(await takeChallenge(db, challenge, { actor: maker.actor, command })).toBe(true)
})
