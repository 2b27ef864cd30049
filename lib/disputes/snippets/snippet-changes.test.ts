import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import type { Snippet } from './snippet.ts'
import { listSnippets } from './snippet-kinds.ts'

const test = serviceTest
  .extend('saved', ({ arbitrator }) => async (name: string): Promise<Snippet> => {
    await save(arbitrator, given(name))
    const found = (await all()).find((snippet) => snippet.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  })
  .extend(
    'fieldsOf',
    ({ admin }) =>
      async (kind: 'snippet.save' | 'snippet.remove' | 'snippet.restore', params: object) => {
        const drafted = await draftOf(admin, kind, params)
        return drafted.ok ? {} : drafted.fields
      },
  )
  /** What two people get who confirm at the same moment. */
  .extend(
    'atOnce',
    ({ arbitrator, admin }) =>
      async (kind: 'snippet.save' | 'snippet.remove', one: object, other: object): Promise<readonly string[]> => {
        const drafts = await Promise.all([draftOf(arbitrator, kind, one), draftOf(admin, kind, other)])
        const replies = await Promise.all(
          drafts.map((drafted, n) => {
            if (!drafted.ok) throw new Error(JSON.stringify(drafted))
            return executeCommand(
              n === 0 ? arbitrator : admin,
              drafted.draft.id,
              { code: null, proof: null, fresh: true },
              () => {},
            )
          }),
        )
        return replies.map((reply) => (reply.ok ? reply.command.outcome.class : 'no')).sort()
      },
  )

const given = (name: string, change: object = {}) => ({
  id: randomUUID(),
  name,
  text: 'Which day was it?',
  changedAt: '',
  ...change,
})
const all = async (): Promise<readonly Snippet[]> => await listSnippets(await store())
const names = async () => (await all()).map(({ name }) => name)
const save = async (who: Session, params: object) =>
  (await runCommand(who, 'snippet.save', params)).command.outcome.class

describe('snippets', () => {
  test('are added and changed for all, with who did it last, by name', async ({ admin, saved }) => {
    await saved('Refund')
    const first = await saved('Ask')
    expect(await save(admin, { ...given('Ask twice'), id: first.id, changedAt: first.changedAt })).toBe('done')
    expect((await all()).map(({ name, changedBy }) => [name, changedBy])).toEqual([
      ['Ask twice', 'admin@example.com'],
      ['Refund', 'arbitrator@example.com'],
    ])
  })

  test('have each a name of its own', async ({ admin, saved, fieldsOf }) => {
    const first = await saved('Ask')
    const refund = await saved('Refund')
    expect(Object.keys(await fieldsOf('snippet.save', given(' aSK ')))).toEqual(['name'])
    const renamed = { ...given('ask'), id: refund.id, changedAt: refund.changedAt }
    expect(Object.keys(await fieldsOf('snippet.save', renamed))).toEqual(['name'])
    // Its own name is no other's.
    expect(await save(admin, { ...given('ASK'), id: first.id, changedAt: first.changedAt })).toBe('done')
  })

  test('that somebody else changed meanwhile are not overwritten, and it is told who did', async ({
    arbitrator,
    saved,
    fieldsOf,
  }) => {
    const first = await saved('Ask')
    await save(arbitrator, { ...given('Ask'), id: first.id, text: 'Newer.', changedAt: first.changedAt })
    const late = { ...given('Ask'), id: first.id, text: 'Older.', changedAt: first.changedAt }
    expect(await fieldsOf('snippet.save', late)).toEqual({
      id: expect.stringContaining('arbitrator@example.com changed'),
    })
    expect(Object.keys(await fieldsOf('snippet.remove', { id: first.id, changedAt: first.changedAt }))).toEqual(['id'])
    expect((await all()).map(({ text }) => text)).toEqual(['Newer.'])
  })

  test('that are removed are put back as they were, unless their name is another’s by then', async ({
    arbitrator,
    admin,
    saved,
    fieldsOf,
  }) => {
    const first = await saved('Ask')
    await runCommand(arbitrator, 'snippet.remove', { id: first.id, changedAt: first.changedAt })
    expect(await names()).toEqual([])
    await runCommand(admin, 'snippet.restore', { id: first.id })
    expect((await all()).map(({ name, text }) => [name, text])).toEqual([['Ask', 'Which day was it?']])
    expect(Object.keys(await fieldsOf('snippet.restore', { id: first.id }))).toEqual(['id'])
    const again = (await all())[0]
    await runCommand(arbitrator, 'snippet.remove', { id: first.id, changedAt: again?.changedAt ?? '' })
    await saved('ask')
    expect(Object.keys(await fieldsOf('snippet.restore', { id: first.id }))).toEqual(['name'])
  })

  test('are refused at the field that is wrong', async ({ fieldsOf }) => {
    for (const [change, field] of [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(61) }, 'name'],
      [{ text: ' ' }, 'text'],
      [{ text: 'x'.repeat(4_001) }, 'text'],
      [{ text: 'Card 4242 4242 4242 4242.' }, 'text'],
    ] as const) {
      expect(Object.keys(await fieldsOf('snippet.save', given('Ask', change)))).toEqual([field])
    }
    expect(await names()).toEqual([])
  })

  test('of one name by two people at once: one is saved, and the other is told', async ({ atOnce }) => {
    expect(await atOnce('snippet.save', given('Ask'), given('ask'))).toEqual(['done', 'refused'])
    expect(await all()).toHaveLength(1)
  })

  test('are changed by who may resolve cases alone', async ({ service }) => {
    for (const [email, end] of [
      ['viewer@example.com', '4'],
      ['operator@example.com', '1'],
      ['ana@example.com', '11'],
    ] as const) {
      const person = await signedIn(service, email, userIdOf(end))
      expect(await draftOf(person, 'snippet.save', given('Ask'))).toMatchObject({
        problem: { status: 403, scope: 'core:disputes:resolve' },
      })
    }
  })

  test('stand in the journal with who changed them', async ({ arbitrator, saved }) => {
    const { id } = await saved('Ask')
    const rows = await (await store()).selectFrom('command').selectAll().where('target', '=', id).execute()
    expect(rows.map(({ kind, state, actor }) => [kind, state, actor])).toEqual([
      ['snippet.save', 'done', arbitrator.actor],
    ])
  })
})
