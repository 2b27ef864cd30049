import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { endedAsNoStaff } from '#lib/session/end-session.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { rowOf } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { accessAtHand, readAccess } from './scopes.ts'

const SCOPES = 'GET /api/v1/Users/1/scopes'
const STAFF = ok({ roles: ['SUPPORT'], scopes: ['transactions:confirm', 'transactions:read'] })
const HOLDER = ok({ roles: ['HOLDER'], scopes: ['transactions:create', 'transactions:read'] })
const REFUSED = refused(403, 'core::authorization::scope')

let service: ScriptedService

beforeAll(async () => {
  service = await ScriptedService.start()
})
afterAll(async () => {
  vi.useRealTimers()
  await service.stop()
})
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
})

const signIn = async (admittedBy: 'claim' | 'scopes') =>
  await openForTest(await signInForTest({ admittedBy, method: 'password', actor: 'password:me' }))
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)

describe('a session that scopes let in', () => {
  test('ends as soon as scopes are read and none is left that tells staff', async () => {
    const session = await signIn('scopes')
    service.on(SCOPES, STAFF, HOLDER)
    expect((await readAccess(session)).scopes?.has('core:transactions:confirm')).toBe(true)
    later(59_000)
    await readAccess(session)
    expect(await rowOf(session)).toBeDefined()
    later(2_000)
    expect((await readAccess(session)).scopes).toEqual(new Set())
    expect([await rowOf(session), endedAsNoStaff(session.id)]).toEqual([undefined, true])
  })

  test('lives on while they cannot be read, and is known to hold nothing', async () => {
    const session = await signIn('scopes')
    service.on(SCOPES, STAFF, REFUSED)
    await readAccess(session)
    later(61_000)
    expect(await readAccess(session)).toEqual({ roles: [], scopes: null })
    expect(await rowOf(session)).toBeDefined()
  })
})

test('a session that a claim let in keeps on without such a scope', async () => {
  const session = await signIn('claim')
  service.on(SCOPES, HOLDER)
  expect((await readAccess(session)).scopes?.size).toBe(2)
  expect(await rowOf(session)).toBeDefined()
})

test('a failed read is not repeated for five seconds, then it is', async () => {
  const session = await signIn('scopes')
  service.on(SCOPES, REFUSED, STAFF)
  for (let n = 0; n < 20; n += 1) expect((await readAccess(session)).scopes).toBeNull()
  expect(service.of(SCOPES)).toHaveLength(1)
  later(5_001)
  expect((await readAccess(session)).scopes?.size).toBe(2)
})

test('scopes are read after a minute although the clock was set back', async () => {
  const session = await signIn('claim')
  service.on(SCOPES, STAFF, HOLDER)
  await readAccess(session)
  later(-3_600_000)
  await readAccess(session)
  later(61_000)
  expect((await readAccess(session)).roles).toEqual(['HOLDER'])
})

test('twenty who ask at once ask the service once', async () => {
  const session = await signIn('scopes')
  service.on(SCOPES, STAFF)
  const answers = await Promise.all(Array.from({ length: 20 }, () => readAccess(session)))
  expect(new Set(answers).size).toBe(1)
  expect(service.of(SCOPES)).toHaveLength(1)
})

describe('what is shown without waiting', () => {
  test('is what was known last, while it is read anew; it is never what decides', async () => {
    const session = await signIn('claim')
    service.on(SCOPES, STAFF, HOLDER)
    expect(accessAtHand(session)).toBeNull()
    await readAccess(session)
    later(61_000)
    expect(accessAtHand(session)?.scopes?.has('core:transactions:confirm')).toBe(true)
    expect((await readAccess(session)).scopes?.has('core:transactions:confirm')).toBe(false)
    expect(accessAtHand(session)?.scopes?.has('core:transactions:confirm')).toBe(false)
    expect(service.of(SCOPES)).toHaveLength(2)
  })

  test('is never older than five minutes, nor than one where scopes alone let the person in', async () => {
    const [byClaim, byScopes] = [await signIn('claim'), await signIn('scopes')]
    service.on(SCOPES, STAFF)
    await Promise.all([readAccess(byClaim), readAccess(byScopes)])
    later(61_000)
    expect(accessAtHand(byScopes)).toBeNull()
    later(240_000)
    expect(accessAtHand(byClaim)).toBeNull()
  })
})
