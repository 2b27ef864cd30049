import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, vi } from 'vitest'
import type { Line } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { viewOf } from '#lib/commands/view.ts'
import { disputeResolve } from '#lib/disputes/dispute-resolve.ts'
import { exportCases } from '#lib/disputes/queue/case-export.ts'
import { CaseQuery } from '#lib/disputes/queue/case-index-query.ts'
import { waitForSweep } from '#lib/disputes/queue/case-sweeps.ts'
import { everyOpenCase, type QueueFilter } from '#lib/disputes/queue/queue.ts'
import { claimedRow, queueFor } from '#lib/disputes/queue/queue-view.ts'
import { knownCategory } from '#lib/disputes/resolution.ts'
import { similarDecisions } from '#lib/disputes/similar-decisions.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { CATEGORIES_MAX } from './category.ts'
import { countUse, listCategories, offeredCategories } from './category-table.ts'

const sent = vi.hoisted(() => ({ resolution: vi.fn() }))
vi.mock('#lib/disputes/dispute-service.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#lib/disputes/dispute-service.ts')>()
  const resolveCase: typeof original.resolveCase = (session, ...request) => {
    sent.resolution(...request)
    return original.resolveCase(session, ...request)
  }
  return { ...original, resolveCase }
})

const test = serviceTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend(
    'fieldsOf',
    ({ newcomer }) =>
      async (
        kind: 'category.save' | 'category.retire' | 'category.restore' | 'dispute.resolve',
        params: object,
        who = newcomer,
      ) => {
        const drafted = await draftOf(who, kind, params)
        return drafted.ok ? {} : drafted.fields
      },
  )
  .extend('added', ({ newcomer }) => async (name: string): Promise<string> => {
    const id = randomUUID()
    await runCommand(newcomer, 'category.save', { id, name, changedAt: '' })
    return id
  })
  .extend('retire', ({ admin }) => async (name: string): Promise<void> => {
    const { id, changedAt } = await named(name)
    await runCommand(admin, 'category.retire', { id, changedAt })
  })
  .extend('decision', ({ newcomer }) => async ({ id: caseId, referenceId }: TestCase, change: object = {}) => {
    const thread = await readWholeThread(newcomer, caseId)
    if (!thread.ok) throw new Error(JSON.stringify(thread.problem))
    const latestMessageId = thread.value.messages.at(-1)?.id ?? ''
    return { caseId, referenceId, decision: 'refund', reason: 'Nothing was sent.', latestMessageId, ...change }
  })
  .extend('resolve', ({ newcomer, decision }) => async (found: TestCase, change: object = {}) => {
    return (await runCommand(newcomer, 'dispute.resolve', await decision(found, change))).command
  })
  .extend('queue', ({ admin }) => async (change: Partial<QueueFilter> = {}, who = admin) => {
    const read = () => queueFor(who, { ...everyOpenCase, list: 'RESOLVED', ...change }, { page: 1, size: 100 })
    await read()
    await waitForSweep(20_000)
    return await read()
  })

beforeEach(() => void sent.resolution.mockClear())

const all = async () => await listCategories(await store())
const named = async (name: string) => {
  const found = (await all()).find((category) => category.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

const categoryOf = (lines: readonly Line[]) => lines.find(({ label }) => label === 'Category')?.value

describe('the list of categories', () => {
  test('is changed by name, and says who did it', async ({ admin, added }) => {
    const id = await added('Late')
    const { changedAt } = await named('Late')
    await runCommand(admin, 'category.save', { id, name: ' Never came ', changedAt })
    expect((await all()).map(({ name, changedBy, retired }) => [name, changedBy, retired])).toEqual([
      ['Never came', 'admin@example.com', false],
    ])
  })

  test('has one category of a name, whatever the case', async ({ fieldsOf, added, retire }) => {
    await added('Late')
    expect(await fieldsOf('category.save', { id: randomUUID(), name: ' lATE', changedAt: '' })).toEqual({
      name: 'Another category has this name. Choose a different name.',
    })
    await retire('Late')
    expect(await fieldsOf('category.save', { id: randomUUID(), name: 'late', changedAt: '' })).toEqual({
      name: 'A retired category has this name. Restore it instead.',
    })
  })

  test.for([
    ['', 'Enter a name for the category.'],
    ['x'.repeat(61), 'At most 60 characters'],
    ['4111 1111 1111 1111', 'Remove the card number'],
  ] as const)('refuses the name %j at its field', async ([name, words], { fieldsOf }) => {
    expect(await fieldsOf('category.save', { id: randomUUID(), name, changedAt: '' })).toEqual({
      name: expect.stringContaining(words),
    })
  })

  test('offers a retired category only after it is restored', async ({ newcomer, fieldsOf, added, retire }) => {
    const id = await added('Late')
    await retire('Late')
    expect([await offeredCategories(await store()), (await named('Late')).retired]).toEqual([[], true])
    expect(await fieldsOf('category.retire', { id, changedAt: (await named('Late')).changedAt })).toEqual({
      id: expect.stringContaining('admin@example.com retired “Late”'),
    })
    await runCommand(newcomer, 'category.restore', { id })
    expect(await offeredCategories(await store())).toEqual([{ id, name: 'Late' }])
    expect(await fieldsOf('category.restore', { id })).toEqual({ id: 'It is not retired.' })
  })

  test('overwrites no change that came first', async ({ admin, fieldsOf, added }) => {
    const id = await added('Late')
    const { changedAt } = await named('Late')
    await runCommand(admin, 'category.save', { id, name: 'Later', changedAt })
    expect(await fieldsOf('category.save', { id, name: 'Latest', changedAt })).toEqual({
      id: expect.stringContaining('admin@example.com changed “Later”'),
    })
  })

  test('has at most fifty in use', async ({ fieldsOf }) => {
    const db = await store()
    await db
      .insertInto('case_category')
      .values(
        Array.from({ length: CATEGORIES_MAX }, (_, at) => ({
          ...{ id: randomUUID(), name: `C ${at}`, name_key: `c ${at}`, removed_at: null },
          ...{ changed_by: 'sso:1', changed_by_name: 'Mia', changed_at: '2026-11-20T10:00:00.000Z' },
        })),
      )
      .execute()
    expect(await fieldsOf('category.save', { id: randomUUID(), name: 'More', changedAt: '' })).toEqual({
      name: 'There are 50 categories. Retire one first.',
    })
  })

  test.for([
    ['viewer@example.com', '4'],
    ['operator@example.com', '1'],
    ['ana@example.com', '11'],
  ] as const)('refuses a change by %s', async ([email, end], { service }) => {
    const person = await signedIn(service, email, userIdOf(end))
    for (const kind of ['category.save', 'category.retire', 'category.restore'] as const) {
      expect(await draftOf(person, kind, { id: randomUUID(), name: 'Late', changedAt: '' })).toMatchObject({
        problem: { status: 403, scope: 'core:disputes:resolve' },
      })
    }
  })
})

describe('a decision on a case', () => {
  test('needs no category while there are none', async ({ service, resolve }) => {
    const command = await resolve(await raiseCase(service))
    expect([command.outcome.class, knownCategory(command)]).toEqual(['done', null])
  })

  test('needs a category once there is one', async ({ service, fieldsOf, added, decision }) => {
    await added('Late')
    const input = await decision(await raiseCase(service))
    expect(await fieldsOf('dispute.resolve', input)).toEqual({ category: 'Select a category.' })
  })

  test('shows its category before and after, and never sends it', async ({
    service,
    newcomer,
    added,
    decision,
    resolve,
  }) => {
    const category = await added('Late')
    const dispute = await raiseCase(service)
    const drafted = await draftOf(newcomer, 'dispute.resolve', await decision(dispute, { category }))
    expect(drafted.ok && categoryOf(drafted.draft.lines)).toBe('Late')
    const command = await resolve(dispute, { category: category.toUpperCase() })
    expect(knownCategory(command)).toBe('Late')
    expect(sent.resolution.mock.calls).toEqual([
      [dispute.id, { releaseToRecipient: false, resolutionReason: 'Nothing was sent.' }],
    ])
  })

  test('is refused at the field of a category that was retired', async ({
    service,
    fieldsOf,
    added,
    retire,
    decision,
  }) => {
    const category = await added('Late')
    await retire('Late')
    await added('Other')
    const input = await decision(await raiseCase(service), { category })
    expect(await fieldsOf('dispute.resolve', input)).toEqual({
      category: 'This category is retired. Select another one.',
    })
  })

  test('sends nothing if the category is retired before it is confirmed', async ({
    service,
    newcomer,
    added,
    retire,
    decision,
  }) => {
    const category = await added('Late')
    const dispute = await raiseCase(service)
    const drafted = await draftOf(newcomer, 'dispute.resolve', await decision(dispute, { category }))
    await retire('Late')
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    const reply = await executeCommand(newcomer, drafted.draft.id, { code: null, proof: null }, () => {})
    const { outcome } = reply.ok ? reply.command : { outcome: null }
    expect(outcome).toMatchObject({ class: 'changed' })
    expect(outcome?.class === 'changed' && categoryOf(outcome.now)).toBe('to be selected from the present list')
    expect(await service.arrived('POST', `/api/v1/Dispute/${dispute.id}/resolve`)).toBe(0)
  })

  test('is refused at the last check if the category is retired', async ({
    service,
    newcomer,
    added,
    retire,
    decision,
  }) => {
    const category = await added('Late')
    const params = await decision(await raiseCase(service), { category })
    expect(await disputeResolve.checkLast?.(newcomer, params)).toBeNull()
    await retire('Late')
    expect(await disputeResolve.checkLast?.(newcomer, params)).toMatchObject({ title: 'The category is retired' })
  })

  test('keeps its category when a lost answer is found', async ({ service, newcomer, added, resolve, queue }) => {
    const category = await added('Late')
    const dispute = await raiseCase(service)
    await service.fault('POST', '/api/v1/Dispute/{caseId}/resolve', 'drop-after')
    const { id, outcome } = await resolve(dispute, { category })
    expect([outcome.class, (await queue()).rows[0]?.category]).toEqual(['unknown', null])
    const row = await findCommand(await store(), id)
    if (row !== undefined) await reconcileCommand(newcomer, row)
    expect((await queue()).rows[0]?.category).toBe('Late')
  })

  test('of before categories stays readable', async ({ service, added, resolve }) => {
    const { id } = await resolve(await raiseCase(service))
    await added('Late')
    const row = await findCommand(await store(), id)
    if (row === undefined) throw new Error('the command is gone')
    expect(JSON.parse(row.params)).not.toHaveProperty('category')
    expect(JSON.parse(row.facts)).not.toHaveProperty('category')
    expect(viewOf(row)).toMatchObject({ outcome: { class: 'done' } })
  })
})

describe('decided cases', () => {
  test('are listed and counted by category, also retired', async ({ service, added, retire, resolve, queue }) => {
    const [late, fake] = [await added('Late'), await added('Fake')]
    const cases = [await raiseCase(service, 7), await raiseCase(service, 8), await raiseCase(service, 9)]
    await resolve(await raiseCase(service, 6), { category: fake })
    await resolve(cases[0]!, { category: late })
    await resolve(cases[1]!, { category: late, decision: 'release' })
    await cases[2]!.resolve('Elsewhere.')
    await retire('Late')
    const whole = await queue()
    const mine = new Map(whole.rows.map(({ id, category }) => [id, category]))
    expect(cases.map(({ id }) => mine.get(id))).toEqual(['Late', 'Late', null])
    expect(whole.counts.categories).toEqual([
      { id: fake, name: 'Fake', retired: false, count: 1 },
      { id: late, name: 'Late', retired: true, count: 2 },
    ])
    const filtered = await queue({ category: late })
    expect(filtered.rows.map(({ id }) => id).sort()).toEqual([cases[0]!.id, cases[1]!.id].sort())
    expect(filtered.total).toBe(2)
    expect(await countUse(await store())).toEqual(
      expect.arrayContaining([
        { id: late, refunded: 1, released: 1 },
        { id: fake, refunded: 1, released: 0 },
      ]),
    )
  })

  test('have their category in the file, and in similar decisions', async ({
    service,
    admin,
    added,
    resolve,
    queue,
  }) => {
    const category = await added('Late')
    const [one, other] = [await raiseCase(service, 7), await raiseCase(service, 8)]
    await resolve(one, { category })
    await queue()
    const found = await exportCases(admin, { ...everyOpenCase, list: 'RESOLVED', category })
    const parts = found.ok ? await Array.fromAsync(found.parts) : []
    expect(parts.flatMap(({ rows }) => rows.map((row) => [row?.id, row?.category]))).toEqual([[one.id, 'Late']])
    const similar = await similarDecisions(admin, other.id)
    expect(similar.ok && similar.value.decisions.map(({ category: name }) => name)).toEqual(['Late'])
  })

  test('hide their category from a person without the scope', async ({ service, added, resolve, queue }) => {
    const category = await added('Late')
    await resolve(await raiseCase(service, 7), { category })
    await queue()
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    const seen = await queue({}, viewer)
    expect([seen.counts.categories, JSON.stringify(seen.rows)]).toEqual([null, expect.not.stringContaining('Late')])
  })

  test('hide their category from a party who works here', async ({ service, added, resolve, queue }) => {
    const category = await added('Late')
    const dispute = await raiseCase(service, 7)
    await resolve(dispute, { category })
    await queue()
    const seen = async (userId: string) => {
      const reader = { userId, actor: 'sso:1', seesClaims: true, seesAmounts: true }
      const of = (change: Partial<QueueFilter>) => ({ ...everyOpenCase, list: 'RESOLVED' as const, ...change })
      const db = await store()
      const rows = await new CaseQuery(db, of({}), reader).rows(0, 100)
      const { categories } = await new CaseQuery(db, of({}), reader).counts()
      const row = rows.find(({ id }) => id === dispute.id)
      const filtered = await new CaseQuery(db, of({ category }), reader).rows(0, 100)
      return [row && claimedRow(row, reader).category, categories?.map(({ count }) => count), filtered.length]
    }
    expect(await seen(userIdOf('11'))).toEqual([null, [0], 0])
    expect(await seen(userIdOf('3'))).toEqual(['Late', [1], 1])
  })

  test('are counted for thirty days', async ({ service, added, resolve }) => {
    const category = await added('Late')
    await resolve(await raiseCase(service, 7), { category })
    await resolve(await raiseCase(service, 8), { category })
    expect(await countUse(await store(), Date.now() + 31 * 86_400_000)).toEqual([])
  })
})
