import { sql } from 'kysely'
import { expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { eraseOldText } from '#lib/commands/erase-text.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { storeText } from '#lib/testing/store-text.ts'
import { csvOf, importForTest, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { editLine, type LineAct } from './edit-line.ts'

const REASON = 'Dolores Canary owes us'
const OTHER = 'Ernesto Canary called'

const test = serviceTest
  .extend('statementId', ({ operator }) => importForTest(operator, csvOf([{ reference: 'x', bank: 'B-1' }])))
  .extend('edit', ({ operator, statementId }) => async (act: LineAct): Promise<string> => {
    expect(await editLine(operator, statementId, 1, act)).toBeNull()
    return (await pageOf(statementId)).lines[0]?.editId ?? ''
  })
  /** The lines of an edit, as its page shows them. */
  .extend('linesOf', ({ operator }) => async (id: string) => {
    const outcome = (await commandHistory(operator, id))?.command.outcome
    return outcome?.class === 'done' ? outcome.lines : null
  })

async function erase(...ids: readonly string[]): Promise<void> {
  const db = await store()
  const settled_at = new Date(Date.now() - 40 * 86_400_000).toISOString()
  await db.updateTable('command').set({ settled_at }).where('id', 'in', ids).execute()
  Object.assign(config(), { textKeptDays: 30 })
  putPerProcess('text retention', undefined)
  await eraseOldText()
}

const setAside = (reason: string): LineAct => ({ act: 'set-aside', reason })
const kept = (what: string) => [
  { label: 'Line', value: '1', as: 'text' },
  { label: 'What', value: what, as: 'text' },
]

test('erases why a line was set aside', async ({ statementId, edit, linesOf }) => {
  const id = await edit(setAside(REASON))
  expect(await storeText()).toContain('Canary')
  await erase(id)
  expect(await storeText()).not.toContain('Canary')
  expect(await linesOf(id)).toEqual(kept('set aside'))
  expect((await pageOf(statementId)).lines[0]?.setAside?.reason).toBe('(erased)')
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
})

test('erases why a line was put back', async ({ edit, linesOf }) => {
  const first = await edit(setAside(REASON))
  const second = await edit({ act: 'put-back', reason: OTHER })
  await erase(first, second)
  expect(await storeText()).not.toContain('Canary')
  expect(await linesOf(second)).toEqual(kept('put back'))
})

test('erases the reason after a later edit of its line', async ({ edit }) => {
  const id = await edit(setAside(REASON))
  await edit({ act: 'bank-reference', bankReference: 'B-2' })
  await erase(id)
  expect(await storeText()).not.toContain('Canary')
})

test('erases a reason that a later edit replaced', async ({ edit, linesOf }) => {
  const id = await edit(setAside(REASON))
  const later = await edit({ act: 'put-back', reason: 'It was not paid twice' })
  await erase(id)
  expect(await storeText()).not.toContain('Canary')
  expect(await linesOf(later)).toEqual([
    ...kept('put back'),
    { label: 'After', value: 'It was not paid twice', as: 'text' },
  ])
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
  await erase(later)
  expect(await linesOf(later)).toEqual(kept('put back'))
})

test('an altered later edit does not keep a reason', async ({ edit }) => {
  const id = await edit(setAside(REASON))
  const later = await edit({ act: 'put-back', reason: '' })
  await (await store()).updateTable('command').set({ outcome: '{}' }).where('id', '=', later).execute()
  await erase(id)
  expect(await storeText()).not.toContain('Canary')
})

test('erases reasons that earlier versions stored as references', async ({ edit }) => {
  const [first, second] = [await edit(setAside(REASON)), await edit({ act: 'put-back', reason: OTHER })]
  const { rows } = await sql<{ outcome: string }>`UPDATE command SET outcome = replace(outcome, '"text"', '"mono"')
    WHERE kind = 'statement.edit-line' RETURNING outcome`.execute(await store())
  for (const { outcome } of rows) expect(outcome).toContain(`"value":"${REASON}","as":"mono"`)
  await erase(first, second)
  expect(await storeText()).not.toContain('Canary')
})

test('keeps the reason of a later edit', async ({ statementId, edit }) => {
  const id = await edit(setAside(REASON))
  await edit({ act: 'put-back', reason: '' })
  await edit(setAside(OTHER))
  await erase(id)
  expect((await pageOf(statementId)).lines[0]?.setAside?.reason).toBe(OTHER)
})

test('keeps references', async ({ edit, linesOf }) => {
  const id = await edit({ act: 'bank-reference', bankReference: 'B-2' })
  await erase(id)
  expect(await linesOf(id)).toEqual([
    ...kept('bank’s reference entered'),
    { label: 'Before', value: 'B-1', as: 'mono' },
    { label: 'After', value: 'B-2', as: 'mono' },
  ])
})
