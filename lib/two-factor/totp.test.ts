import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canReconcile } from '#lib/commands/access.ts'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { findLatestDoneBy } from '#lib/commands/queries.ts'
import { readCommand, reconcileCommand } from '#lib/commands/reconcile.ts'
import { requiredStepUp } from '#lib/commands/step-up.ts'
import { viewOf } from '#lib/commands/view.ts'
import { type Session, saveGrant, verifiedUntil } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  CODE_INVALID,
  draftForTest,
  ENROLLED,
  executeForTest,
  NOT_ENROLLED,
  STATUS,
} from '#lib/testing/gated-deposit.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { ok, refused, type Scripted, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'

const ENROL = 'POST /api/v1/Security/totp/enrol'
const FIRST_CODE = 'POST /api/v1/Security/totp/enrol/confirm'
const REMOVE = 'DELETE /api/v1/Security/totp'
const CODE = '907813'
const KEY = { url: 'otpauth://totp/x?secret=CANARYSECRETCANARY', barcode: 'Y2FuYXJ5LWJhcmNvZGU=' }

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await openForTest(await signInForTest())
  service.on(STATUS, NOT_ENROLLED)
})
afterAll(() => service.stop())

const run = async (name: 'totp.enrol' | 'totp.confirm' | 'totp.remove', code: string | null = null) =>
  executeForTest(session, await draftForTest(session, name, {}), code)

const codesAt = (what: string) => service.of(what).map(({ body }) => body)

/** Everything that the console keeps of its commands. */
async function journal(): Promise<string> {
  const db = await store()
  return JSON.stringify([
    await db.selectFrom('command').selectAll().execute(),
    await db.selectFrom('command_event').selectAll().execute(),
  ])
}

describe('setting it up', () => {
  test('gives the key in the one answer, and keeps nothing of it', async () => {
    service.on(ENROL, ok(KEY))
    const id = await draftForTest(session, 'totp.enrol', {})
    const reply = await executeForTest(session, id)
    expect(reply.once).toEqual({ what: 'totp-key', ...KEY })
    const again = await executeForTest(session, id)
    expect(again.command.outcome.class).toBe('done')
    expect(JSON.stringify([again, await readCommand(session, id, true), reply.command, await journal()])).not.toMatch(
      /CANARY|Y2FuYXJ5/,
    )
    expect(service.of(ENROL)).toHaveLength(1)
  })

  test('is refused to who has it, by the console and by the service, in the same words', async () => {
    service.on(ENROL, refused(409, 'core::gatekeeper::totp::already_enrolled'))
    const { command } = await run('totp.enrol')
    expect(command.outcome).toMatchObject({ class: 'refused', title: 'Two-factor security is already set up' })
    service.on(STATUS, ENROLLED)
    const kind = kindNamed('totp.enrol')
    expect(kind && (await draftCommand(session, kind, {}))).toMatchObject({
      ok: false,
      fields: { totp: expect.stringContaining('Two-factor security is already set up') },
    })
    expect(service.of(ENROL)).toHaveLength(1)
  })

  test.each<[what: string, answer: Scripted]>([
    ['a page', { status: 200, body: '<h1>One moment</h1>', headers: { 'content-type': 'text/html' } }],
    ['null', ok(null)],
    ['no body', { status: 204, body: undefined }],
    ['accepted', ok(null, 202)],
    ['a key that cannot be read', ok({ url: 7 })],
    ['an address that is no key', ok({ ...KEY, url: 'https://example.com/?secret=CANARYSECRETCANARY' })],
  ])('is not known after %s, and can be started again', async (_what, answer) => {
    service.on(ENROL, answer, ok(KEY))
    const reply = await run('totp.enrol')
    expect([reply.command.outcome.class, reply.once]).toEqual(['unknown', null])
    expect(JSON.stringify(reply.command.outcome)).toContain('start again')
    expect((await run('totp.enrol')).once).toEqual({ what: 'totp-key', ...KEY })
  })

  test('leaves no doubt that hinders: a lost answer does not stop the next key', async () => {
    service.on(ENROL, 'drop', ok(KEY))
    expect((await run('totp.enrol')).command.outcome.class).toBe('unknown')
    expect((await run('totp.enrol')).once).toEqual({ what: 'totp-key', ...KEY })
  })

  test('nothing changed when the service says that it could not write', async () => {
    service.on(ENROL, refused(500, 'core::gatekeeper::enrol::fail'))
    expect((await run('totp.enrol')).command.outcome).toMatchObject({
      class: 'refused',
      advice: expect.stringContaining('You can safely try again'),
    })
  })
})

const ENROLLED_STATUS = { enrolled: true, enrolledAt: '2026-01-01T00:00:00.0000000Z', lockedUntil: null }

const enrolledAt = (time: string) => ok({ enrolled: true, enrolledAt: time, lockedUntil: null })

/** How many digits the console expects of the next code. */
const digits = async () => (await requiredStepUp(session, 'a prompt')).digits

test('the number of digits counts for the key that was made here, and for no other', async () => {
  service.on(ENROL, ok({ ...KEY, url: `${KEY.url}&digits=8` }))
  await run('totp.enrol')
  service.on(FIRST_CODE, ok({}))
  const id = await draftForTest(session, 'totp.confirm', {})
  service.on(STATUS, NOT_ENROLLED, enrolledAt('2026-03-01T00:00:00Z'))
  await executeForTest(session, id, '12345678')
  expect(await digits()).toBe(8)
  // Removed and set up anew by another program.
  service.on(STATUS, enrolledAt('2026-04-01T00:00:00Z'))
  expect(await digits()).toBeNull()
})

test('a new key of unknown length forgets the number of digits', async () => {
  service.on(ENROL, ok({ ...KEY, url: `${KEY.url}&digits=8` }), ok({ ...KEY, url: 'otpauth://other/key' }))
  for (let time = 0; time < 2; time += 1) await run('totp.enrol')
  service.on(FIRST_CODE, ok({}))
  const id = await draftForTest(session, 'totp.confirm', {})
  service.on(STATUS, NOT_ENROLLED, enrolledAt('2026-03-01T00:00:00Z'))
  await executeForTest(session, id, '123456')
  expect(await digits()).toBeNull()
})

test('a lost request for a key that settles later leaves the digits of the key in use', async () => {
  service.on(ENROL, 'drop', ok({ ...KEY, url: `${KEY.url}&digits=8` }))
  const { command: lost } = await run('totp.enrol')
  await run('totp.enrol')
  service.on(FIRST_CODE, ok({}))
  const id = await draftForTest(session, 'totp.confirm', {})
  service.on(STATUS, NOT_ENROLLED, enrolledAt('2026-03-01T00:00:00Z'))
  await executeForTest(session, id, '12345678')
  expect(await readCommand(session, lost.id, true)).toMatchObject({ command: { outcome: { class: 'done' } } })
  expect(await digits()).toBe(8)
})

describe('the first code', () => {
  test('goes to the service as it was typed, and nowhere else', async () => {
    service.on(FIRST_CODE, ok(ENROLLED_STATUS))
    expect((await run('totp.confirm', CODE)).command.outcome.class).toBe('done')
    expect(codesAt(FIRST_CODE)).toEqual([{ code: CODE }])
    expect(await journal()).not.toContain(CODE)
  })

  test.each([[null], ['123'], ['1'.repeat(21)], ['12-34-56']])('is not sent when it is %j', async (code) => {
    expect((await run('totp.confirm', code)).command.outcome).toMatchObject({ class: 'refused', sent: false })
    expect(service.of(FIRST_CODE)).toHaveLength(0)
  })

  test.each([
    ['12345678', '12345678'],
    ['1234 5678', '12345678'],
    ['abc123', 'abc123'],
  ])('has the length that the service gives it: %j', async (typed, sent) => {
    service.on(FIRST_CODE, ok({}))
    await run('totp.confirm', typed)
    expect(codesAt(FIRST_CODE)).toEqual([{ code: sent }])
  })

  test('is found as the latest change of a factor', async () => {
    const kinds = ['totp.enrol', 'totp.confirm'] as const
    const latest = async (since: string) => findLatestDoneBy(await store(), { actor: session.actor, kinds, since })
    await run('totp.enrol')
    service.on(FIRST_CODE, ok(ENROLLED_STATUS))
    await run('totp.confirm', CODE)
    expect((await latest(new Date(0).toISOString()))?.kind).toBe('totp.confirm')
    expect(await latest(new Date(Date.now() + 1000).toISOString())).toBeUndefined()
  })

  test('rejected, says that nothing changed and how to go on', async () => {
    service.on(FIRST_CODE, CODE_INVALID, ok(ENROLLED_STATUS))
    const { outcome } = (await run('totp.confirm', CODE)).command
    expect(outcome).toMatchObject({ class: 'refused', title: 'The code was rejected' })
    expect(JSON.stringify(outcome)).toContain('Wait for the next code')
    expect((await run('totp.confirm', '111111')).command.outcome.class).toBe('done')
  })

  test('whose answer is lost settles by reading the status', async () => {
    service.on(FIRST_CODE, 'drop')
    const { command } = await run('totp.confirm', CODE)
    const now = async () => await readCommand(session, command.id, true)
    expect(await now()).toMatchObject({ command: { outcome: { class: 'unknown' } } })
    service.on(STATUS, ENROLLED)
    expect(await now()).toMatchObject({ command: { outcome: { class: 'done' } } })
  })

  test('without an effect after two minutes promises no later checks', async () => {
    service.on(FIRST_CODE, 'drop')
    const { command } = await run('totp.confirm', CODE)
    const row = await sentSecondsAgo(command.id, 121)
    await reconcileCommand(session, row)
    const { outcome } = viewOf(await commandOrFail(command.id))
    expect(outcome).toMatchObject({ class: 'no-effect', advice: expect.stringContaining('does not check again') })
    expect(JSON.stringify(outcome)).not.toContain('24 hours')
  })
})

describe('removal', () => {
  beforeEach(() => {
    service.on(STATUS, ENROLLED)
    saveGrant(session, 'grant-0', new Date(Date.now() + 300_000).toISOString())
  })

  test('sends the code, and ends what was verified by the factor', async () => {
    service.on(REMOVE, { status: 204, body: undefined })
    service.on(STATUS, ENROLLED, ENROLLED, NOT_ENROLLED)
    const reply = await run('totp.remove', CODE)
    expect(reply).toMatchObject({ command: { outcome: { class: 'done' } }, verifiedUntil: null })
    expect(codesAt(REMOVE)).toEqual([{ code: CODE }])
    expect(verifiedUntil(session)).toBeNull()
  })

  test.each<Scripted>([
    { status: 204, body: undefined },
    'drop',
    ok(null),
    ok(null, 202),
    { status: 200, body: { ok: true } },
    { status: 200, body: '<h1>', headers: { 'content-type': 'text/html' } },
    { status: 408, body: '' },
    { status: 504, body: '', headers: { 'content-type': 'text/html' } },
    refused(500, 'core::server::fail'),
  ])('ends verifications of other sessions: %j', async (answer) => {
    const other = await openForTest(await signInForTest())
    const stranger = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
    for (const one of [other, stranger]) saveGrant(one, 'grant-1', new Date(Date.now() + 300_000).toISOString())
    service.on(REMOVE, answer)
    await run('totp.remove', CODE)
    expect([verifiedUntil(session), verifiedUntil(other)]).toEqual([null, null])
    expect(verifiedUntil(stranger)).not.toBeNull()
  })

  test('rejected, takes nothing away', async () => {
    service.on(REMOVE, CODE_INVALID)
    expect((await run('totp.remove', CODE)).command.outcome).toMatchObject({ title: 'The code was rejected' })
    expect(verifiedUntil(session)).not.toBeNull()
  })

  test.each([refused(429, 'core::request::rate'), refused(500, 'core::gatekeeper::enrol::fail')])(
    'refused, takes nothing away: %j',
    async (answer) => {
      service.on(REMOVE, answer)
      expect((await run('totp.remove', CODE)).command.outcome).toMatchObject({ class: 'refused', sent: true })
      expect(verifiedUntil(session)).not.toBeNull()
    },
  )

  test('seen by a later read, ends what was verified meanwhile', async () => {
    service.on(REMOVE, 'drop')
    const { command } = await run('totp.remove', CODE)
    saveGrant(session, 'grant-1', new Date(Date.now() + 300_000).toISOString())
    service.on(STATUS, NOT_ENROLLED)
    expect(await readCommand(session, command.id, true)).toMatchObject({ command: { outcome: { class: 'done' } } })
    expect(verifiedUntil(session)).toBeNull()
  })

  test('of what is not there is refused before anything is sent', async () => {
    service.on(STATUS, NOT_ENROLLED)
    const kind = kindNamed('totp.remove')
    expect(kind && (await draftCommand(session, kind, {}))).toMatchObject({ fields: { totp: expect.anything() } })
  })
})

test('no grant goes to any of these endpoints', async () => {
  saveGrant(session, 'grant-0', new Date(Date.now() + 300_000).toISOString())
  for (const what of [ENROL, FIRST_CODE]) service.on(what, ok(KEY))
  await run('totp.enrol')
  await run('totp.confirm', CODE)
  expect(service.arrived.filter(({ grant }) => grant !== null)).toEqual([])
})

test('nobody reads what came of somebody else’s: their own status would settle it', async () => {
  service.on(FIRST_CODE, 'drop')
  const { command } = await run('totp.confirm', CODE)
  const other = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
  service.on('GET /api/v1/Users/2/scopes', ok({ roles: [], scopes: [] }))
  service.on(STATUS, ENROLLED)
  expect(await canReconcile(other, { id: command.id, actor: session.actor, kind: command.kind })).toBe(false)
  expect(await readCommand(other, command.id, true)).toMatchObject({ ok: false, problem: { status: 404 } })
  expect(await readCommand(session, command.id, false)).toMatchObject({ command: { outcome: { class: 'unknown' } } })
})

test('discloses nothing about a rejected code', async () => {
  const id = await draftForTest(session, 'totp.confirm', {})
  service.on(FIRST_CODE, CODE_INVALID)
  service.on(STATUS, NOT_ENROLLED, ENROLLED)
  const { command } = await executeForTest(session, id, CODE)
  expect(command.outcome.class).toBe('refused')
  expect(JSON.stringify(command.outcome)).not.toContain('security is on')
})
