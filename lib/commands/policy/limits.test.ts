import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { startAgain, startCommand } from '#lib/commands/execute.ts'
import { type AnyCommand, commandNamed } from '#lib/commands/kind.ts'
import type { CommandState } from '#lib/commands/row.ts'
import { findCommand, insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { limitUse, policyOfDraft } from './gate.ts'
import { highestUse } from './limits.ts'

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Made {
  readonly kind?: CommandKindName
  readonly actor?: string
  readonly amount?: string | null
  readonly decision?: string
}

async function draft({ kind = 'deposit.confirm', actor = 'sso:1', amount = '100', decision }: Made = {}) {
  const id = randomUUID()
  const texts = { target: id, params: JSON.stringify({ decision }), facts: JSON.stringify({ debit: amount }) }
  await insertDraft(await store(), { id, kind, actor, actorName: 'Mia', ...texts })
  return id
}

const start = async (id: string) => await startCommand(await store(), id, [{ key: `deposit:${id}`, permanent: false }])

/** Drafts and sends; whether it went out. */
const send = async (made: Made = {}): Promise<boolean> => (await start(await draft(made))).ok

async function outcomeOf(id: string): Promise<Outcome> {
  return JSON.parse((await findCommand(await store(), id))?.outcome ?? 'null')
}

describe('a sum', () => {
  beforeEach(() => {
    underPolicy({ kind: 'deposit.confirm', limit: { sum: '1000.00' } })
  })

  test('is used to the last unit, and not beyond', async () => {
    expect(await send({ amount: '999.99999999' })).toBe(true)
    expect(await send({ amount: '0.00000002' })).toBe(false)
    expect(await send({ amount: '0.00000001' })).toBe(true)
    expect(await send({ amount: '0.00000001' })).toBe(false)
  })

  test('is each person’s own, and each kind’s', async () => {
    expect(await send({ amount: '1000' })).toBe(true)
    expect(await send({ amount: '1000', actor: 'sso:2' })).toBe(true)
    expect(await send({ amount: '5000', kind: 'dispute.resolve', decision: 'refund' })).toBe(true)
    expect(await send()).toBe(false)
  })

  test('an amount that is not known fits into none', async () => {
    expect(await send({ amount: null })).toBe(false)
  })

  test('counts an unknown amount as a high one', async () => {
    underPolicy({ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, limit: { count: 1 } })
    expect([await send({ amount: null }), await send({ amount: '600' })]).toEqual([true, false])
  })

  test('what goes beyond ends, holds nothing, and is on record with the numbers', async () => {
    await send({ amount: '900' })
    const id = await draft({ amount: '100.5' })
    expect(await start(id)).toMatchObject({ ok: false, stopped: { id, state: 'closed', sent_at: null } })
    const told = await outcomeOf(id)
    expect(told).toMatchObject({ class: 'refused', sent: false, limit: true, title: 'Over your limit' })
    expect('advice' in told && told.advice).toMatch(
      /^Nothing was sent\. Sent in the last 24 hours: 900\.00 of 1,000\.00 BZD\. It fits from \d{4}-/,
    )
    const db = await store()
    const events = await findEvents(db, id)
    expect(events.map(({ state }) => state)).toEqual(['draft', 'closed'])
    expect(JSON.parse(events[1]?.body ?? '')).toMatchObject({
      denial: 'limit',
      limitSum: '1000.00',
      usedSum: '900',
      askedSum: '100.5',
    })
    expect(await db.selectFrom('command_lock').select('key').where('command_id', '=', id).execute()).toEqual([])
  })

  test('a draft tells beforehand whether there is room, and from when on', async () => {
    await send({ amount: '900' })
    const beyondOf = async (amount: string) => {
      const row = await findCommand(await store(), await draft({ amount }))
      return row && (await policyOfDraft(await store(), row)).limits.map(({ beyond }) => beyond)
    }
    expect(await beyondOf('100')).toEqual([null])
    expect(await beyondOf('100.01')).toEqual([{ fitsAt: expect.stringMatching(/^\d{4}-/), approvable: false }])
    expect(await beyondOf('1000.01')).toEqual([{ fitsAt: null, approvable: false }])
  })

  test('one that is more than the whole limit never has room', async () => {
    const id = await draft({ amount: '1000.01' })
    await start(id)
    expect(await outcomeOf(id)).toMatchObject({ advice: expect.stringContaining('can never fit the limit') })
  })
})

describe('what counts', () => {
  beforeEach(() => {
    underPolicy({ kind: 'deposit.confirm', limit: { count: 1 } })
  })

  test.each<[CommandState, boolean]>([
    ['unknown', false],
    ['accepted', false],
    ['challenged', false],
    ['done', false],
    ['refused', true],
  ])('after one that is %s, another is sent: %s', async (state, another) => {
    const first = await draft()
    await start(first)
    await moveCommand(await store(), first, { from: ['sent'], to: state })
    expect(await send()).toBe(another)
  })

  test.each(['not_applied', 'applied'] as const)('one that reconciliation found %s counts', async (found) => {
    const first = await draft()
    await start(first)
    await moveCommand(await store(), first, { from: ['sent'], to: 'unknown' })
    await moveCommand(await store(), first, { from: ['unknown'], to: found })
    expect(await send()).toBe(false)
  })

  test('whatever this process takes the time for, by the clock of a database of its own', async ({ skip }) => {
    // The embedded one has no other clock than its process.
    skip(!config().databaseUrl.startsWith('postgres'))
    await start(await draft())
    vi.useFakeTimers({ now: Date.now() + 48 * 3_600_000, toFake: ['Date'] })
    expect(await send()).toBe(false)
  })

  test('for 24 hours', async () => {
    await start(await draft())
    const db = await store()
    await sql`UPDATE command SET counted_at = counted_at - 86399`.execute(db)
    expect(await send()).toBe(false)
    await sql`UPDATE command SET counted_at = counted_at - 2`.execute(db)
    expect(await send()).toBe(true)
  })

  test('a draft counts nothing until it is sent, and one that was refused neither', async () => {
    const [one, two] = [await draft(), await draft()]
    expect((await start(one)).ok).toBe(true)
    expect((await start(two)).ok).toBe(false)
    await moveCommand(await store(), one, { from: ['sent'], to: 'refused' })
    expect(await send()).toBe(true)
  })
})

test('of twenty at once, as many are sent as there is room for', async () => {
  underPolicy({ kind: 'deposit.confirm', limit: { sum: '1000.00', count: 7 } })
  const ids = await Promise.all(Array.from({ length: 20 }, () => draft({ amount: '130' })))
  const started = await Promise.all(ids.map(start))
  expect(started.filter(({ ok }) => ok)).toHaveLength(7)
})

test('conditions hold together, and several limits add up', async () => {
  underPolicy(
    { kind: 'dispute.resolve', when: { decision: 'release', amountAtLeast: '500.00' }, limit: { count: 1 } },
    { kind: 'dispute.resolve', limit: { sum: '2000.00' } },
  )
  const decide = (decision: string, amount: string) => send({ kind: 'dispute.resolve', decision, amount })
  expect(await decide('refund', '600')).toBe(true)
  expect(await decide('release', '500')).toBe(true)
  expect(await decide('release', '499.99')).toBe(true)
  expect(await decide('release', '500')).toBe(false)
  expect(await decide('refund', '400.02')).toBe(false)
  expect(await decide('refund', '400.01')).toBe(true)
})

test('one that waited for a code is judged once more, without itself', async () => {
  underPolicy({ kind: 'deposit.confirm', limit: { count: 1 } })
  const db = await store()
  const id = await draft()
  await start(id)
  await moveCommand(db, id, { from: ['sent'], to: 'challenged' })
  expect((await startAgain(db, id)).ok).toBe(true)
  await moveCommand(db, id, { from: ['sent'], to: 'challenged' })
  // It has waited for longer than it counts, and another one was sent meanwhile.
  await sql`UPDATE command SET counted_at = counted_at - 90000 WHERE id = ${id}`.execute(db)
  expect(await send()).toBe(true)
  expect(await startAgain(db, id)).toMatchObject({ ok: false, stopped: { state: 'refused' } })
})

test.each(['enteredByHand', 'foundInText', 'freedByHand'] as const)(
  '%s counts at the draft and at the send',
  async (flag) => {
    underPolicy({ kind: 'deposit.confirm', when: { [flag]: true }, approval: { by: 1 } })
    const marks = { enteredByHand: false, foundInText: false, freedByHand: false }
    const kind = commandNamed('deposit.confirm') as Required<AnyCommand>
    const read = vi.spyOn(kind, 'policyFlags')
    for (const [then, now] of [
      [false, false],
      [true, false],
      [false, true],
    ] as const) {
      read.mockResolvedValueOnce({ ...marks, [flag]: then }).mockResolvedValueOnce({ ...marks, [flag]: now })
      expect((await start(await draft())).ok).toBe(!then && !now)
    }
    read.mockRestore()
  },
)

describe('what was prepared is what is sent', () => {
  test('not under another policy, nor under none', async () => {
    underPolicy({ kind: 'card.issue', limit: { count: 9 } })
    const id = await draft()
    await freshPolicy()
    expect(await start(id)).toMatchObject({ ok: false, stopped: { state: 'closed' } })
    expect(await outcomeOf(id)).toMatchObject({ title: 'The policy has changed', sent: false })
  })

  test.each(['params', 'facts', 'kind', 'actor', 'effect'])('not with other %s in the store', async (column) => {
    const id = await draft()
    const other = { params: '{"a":1}', facts: '{"a":1}', kind: 'card.issue', actor: 'sso:9', effect: 'f'.repeat(64) }
    const db = await store()
    await db
      .updateTable('command')
      .set({ [column]: other[column as keyof typeof other] })
      .where('id', '=', id)
      .execute()
    expect(await start(id)).toMatchObject({ ok: false, stopped: { state: 'closed' } })
    expect(await outcomeOf(id)).toMatchObject({
      title: 'This change was altered in the database after it was prepared',
    })
  })

  const freshPolicy = async () => underPolicy({ kind: 'card.issue', limit: { count: 8 } })
})

test('a person sees their own use; metrics see the highest share, of nobody by name', async () => {
  underPolicy(
    { kind: 'deposit.confirm', when: { amountAtLeast: '200.00' }, limit: { sum: '1000.00', count: 4 } },
    { kind: 'card.issue', limit: { count: 2 } },
  )
  await send({ amount: '250' })
  await send({ amount: '199.99' })
  await send({ amount: '500', actor: 'sso:2' })
  const db = await store()
  const [deposits, cards] = await limitUse(db, 'sso:1')
  expect(deposits).toMatchObject({
    kind: 'deposit.confirm',
    counting: 'amounts of 200.00 BZD or more',
    sum: { used: '250', limit: '1000.00' },
    count: { used: 1, limit: 4 },
  })
  expect(Date.parse(deposits?.lessAt ?? '') - Date.now()).toBeGreaterThan(86_390_000)
  expect(cards).toMatchObject({ sum: null, count: { used: 0, limit: 2 }, lessAt: null })
  expect(await highestUse(db)).toEqual([
    { kind: 'deposit.confirm', of: 'sum', share: 0.5 },
    { kind: 'deposit.confirm', of: 'count', share: 0.25 },
    { kind: 'card.issue', of: 'count', share: 0 },
  ])
})
