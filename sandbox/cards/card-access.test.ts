import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { BEN, cardCalls, codeOf, enrolled, OPERATOR } from './test-cards.ts'

const ADMIN = userIdEndingIn('003')
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff'

let box: TestSandbox
let call: ReturnType<typeof cardCalls>

beforeAll(async () => {
  box = await testSandbox()
  call = cardCalls(box)
  await box.reset()
})

const stateOf = async (id: string) => {
  const { data } = (await call.read(id)).body
  return { status: data?.status, frozen: data?.frozen }
}

describe('who may', () => {
  test('to anyone but the holder a card does not exist', async () => {
    const { id, number } = await call.unissued()
    for (const [as, userId] of [
      ['ben@example.com', BEN],
      ['admin@example.com', ADMIN],
    ] as const) {
      // With a grant of their own, so that step-up is not what stops them.
      const own = { as, ...(await enrolled(box, userId)) }
      const tries = [
        call.activate(id, number, own),
        call.freeze(id, own),
        call.unfreeze(id, own),
        call.limits(id, '{}', own),
      ]
      for (const answer of await Promise.all(tries)) {
        expect([answer.status, codeOf(answer)]).toEqual([404, 'core::tessera::not_found'])
      }
    }
    expect(await stateOf(id)).toEqual({ status: 'UNISSUED', frozen: false })
  })

  test.each([[UNKNOWN], ['unknown'], ['%00']])('404 for an id that no card has: %s', async (id) => {
    const tries = [call.activate(id, '1'), call.freeze(id), call.unfreeze(id), call.limits(id, '{}'), call.block(id)]
    for (const answer of await Promise.all(tries)) {
      expect([answer.status, codeOf(answer)]).toEqual([404, 'core::tessera::not_found'])
    }
  })

  test('finds a card by its id in upper case', async () => {
    const { id, number } = await call.unissued()
    const upper = id.toUpperCase()
    expect((await call.activate(upper, number)).status).toBe(200)
    expect((await call.freeze(upper)).body.data).toMatchObject({ id, status: 'ACTIVE', frozen: true })
    expect((await call.read(upper)).body.data?.id).toBe(id)
  })

  test('403 without the scope, naming it; 401 without a token', async () => {
    const { id, number } = await call.active()
    const as = OPERATOR
    const needs = [
      [await call.activate(id, number, { as }), 'core:cards:activate'],
      [await call.freeze(id, { as }), 'core:cards:freeze'],
      [await call.unfreeze(id, { as }), 'core:cards:freeze'],
      [await call.limits(id, '{}', { as }), 'core:cards:limits'],
      [await call.block(id, 'ana@example.com'), 'core:cards:manage'],
      [await call.block(id, 'viewer@example.com'), 'core:cards:manage'],
    ] as const
    for (const [{ status, body }, scope] of needs) {
      expect(status).toBe(403)
      expect(body.title).toContain(scope)
    }
    for (const verb of ['activate', 'freeze', 'unfreeze', 'block']) {
      expect((await box.call('POST', `/api/v1/cards/${id}/${verb}`, { body: {} })).status).toBe(401)
    }
    expect(await stateOf(id)).toEqual({ status: 'ACTIVE', frozen: false })
  })
})

test('a write that fails is 500 core::tessera::update::fail: nothing changed, and no number is in the log', async () => {
  const { id, number } = await call.active()
  const { db } = box.sandbox.world
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await sql`ALTER TABLE card ADD CONSTRAINT never CHECK (id <> ${sql.lit(id)} OR NOT frozen)`.execute(db)
  try {
    const answer = await call.freeze(id)
    expect([answer.status, codeOf(answer)]).toEqual([500, 'core::tessera::update::fail'])
    expect(written.mock.calls.join()).toContain('never')
    expect(written.mock.calls.join() + JSON.stringify(answer.body)).not.toContain(number)
  } finally {
    written.mockRestore()
    await sql`ALTER TABLE card DROP CONSTRAINT never`.execute(db)
  }
  expect(await stateOf(id)).toEqual({ status: 'ACTIVE', frozen: false })
})
