import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { CODE_INVALID, newDeposit, scriptGoodDay, VERIFY } from '#lib/testing/gated-deposit.ts'
import { ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { kindNamed } from './kind.ts'
import { draftCommand } from './prepare.ts'
import { CHANGES_MAX, eraseOldCodes, hasRoom, tooManyChanges } from './rate-limit.ts'
import { recordAct } from './record.ts'
import { verify } from './step-up.ts'
import { insertDraft } from './store.ts'

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  scriptGoodDay(service, newDeposit())
  session = await openForTest(await signInForTest())
  const passkey = {
    id: 'a passkey',
    actor: session.actor,
    slot: 1,
    name: 'Laptop',
    public_key: '',
    counter: 0,
    aaguid: '',
  }
  const times = { created_at: '2026-01-01T00:00:00.000Z', last_used_at: null }
  const row = { ...passkey, ...times, transports: '[]', synced: false, backed_up: false }
  await (await store()).insertInto('passkey').values(row).execute()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => service.stop())

async function make(count: number, actor: string, batch?: string): Promise<void> {
  const given = { kind: 'deposit.confirm', actor, actorName: actor, target: 'DEP~1', params: '{}', facts: '{}' }
  for (let n = 0; n < count; n += 1) {
    await insertDraft(await store(), { id: randomUUID(), ...given, ...(batch === undefined ? {} : { batch }) })
  }
}

const atOnce = <Result>(times: number, act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: times }, act))

/** A change that nothing is read at the service for. */
const draft = (batch?: string) =>
  draftCommand(session, kindNamed('passkey.remove')!, { id: 'a passkey', way: 'passkey' }, batch ? { batch } : {})

test('counts a batch as one, and no other people', async () => {
  await make(5, `sso:${randomUUID()}`)
  await make(CHANGES_MAX, session.actor, 'a statement')
  await make(CHANGES_MAX - 2, session.actor)
  const db = await store()
  expect(await hasRoom(db, session.actor)).toBe(true)
  await make(1, session.actor, 'another statement')
  expect(await hasRoom(db, session.actor)).toBe(false)
  expect(await hasRoom(db, session.actor, 'another statement')).toBe(true)
})

test('counts no refusals and no exports', async () => {
  await inJournal(await store(), async (trx) => {
    for (let n = 0; n < CHANGES_MAX; n += 1) {
      const by = { actor: session.actor, actorName: '', target: `${n}`, params: {} }
      const outcome = '{"class":"done","steps":[],"lines":[]}'
      await recordAct(trx, { ...by, kind: n % 2 === 0 ? 'access.refused' : 'evidence.export', outcome })
    }
  })
  expect(await hasRoom(await store(), session.actor)).toBe(true)
})

test('takes sixty of two hundred parallel changes', async () => {
  const replies = await atOnce(200, () => draft())
  expect(replies.filter(({ ok }) => ok)).toHaveLength(CHANGES_MAX)
  expect(replies.filter((reply) => !reply.ok && reply.problem === tooManyChanges)).toHaveLength(200 - CHANGES_MAX)
  expect(await (await store()).selectFrom('command').select('id').execute()).toHaveLength(CHANGES_MAX)
})

test('takes one of two runs at the limit, and all of it', async () => {
  await make(CHANGES_MAX - 1, session.actor)
  const runs = [randomUUID(), randomUUID()]
  const begun = await Promise.all(runs.map(draft))
  expect(begun.filter(({ ok }) => ok)).toHaveLength(1)
  const goesOn = await Promise.all(runs.map(draft))
  expect(goesOn.map(({ ok }) => ok)).toEqual(begun.map(({ ok }) => ok))
})

test('takes a waiting run once the window has passed', async () => {
  await make(CHANGES_MAX, session.actor)
  expect(await draft('a run')).toMatchObject({ ok: false, problem: tooManyChanges })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 + 1 })
  expect(await draft('a run')).toMatchObject({ ok: true })
})

test('sends sixty of two hundred parallel codes to the service', async () => {
  service.on(VERIFY, CODE_INVALID)
  await atOnce(200, () => verify(session, { id: randomUUID(), kind: 'passkey.add' }, '000000', { fresh: true }))
  expect(service.of(VERIFY)).toHaveLength(CHANGES_MAX)
  expect(await draft()).toMatchObject({ ok: false, problem: { status: 429, retryAfterSeconds: 60 } })
})

test('counts changes and codes of all sessions together', async () => {
  await make(CHANGES_MAX - 1, session.actor)
  service.on(VERIFY, CODE_INVALID)
  const other = await openForTest(await signInForTest())
  const codes = [session, other].map((of) => verify(of, { id: randomUUID(), kind: 'passkey.add' }, '000000'))
  const verified = await Promise.all(codes)
  expect(service.of(VERIFY)).toHaveLength(1)
  expect(verified).toContainEqual({
    ok: false,
    outcome: expect.objectContaining({ need: 'later', problem: tooManyChanges }),
  })
  expect((await draft()).ok).toBe(false)
})

test('forgets codes after ten minutes', async () => {
  const at = new Date(Date.now() - 10 * 60_000 - 1).toISOString()
  const old = Array.from({ length: CHANGES_MAX }, () => ({ actor: session.actor, at }))
  await (await store()).insertInto('code_attempt').values(old).execute()
  expect(await verify(session, { id: randomUUID(), kind: 'passkey.add' }, '000000')).toEqual({ ok: true })
  await eraseOldCodes(await store())
  expect(await (await store()).selectFrom('code_attempt').select('at').execute()).toHaveLength(1)
  expect(await draft()).toMatchObject({ ok: true })
})
