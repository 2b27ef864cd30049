import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { config } from '#lib/config/config.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  pageOf,
  statusesOf,
} from '#lib/testing/test-statement.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { editLine, type LineAct } from './edit-line.ts'
import { discardStatement } from './statement-list.ts'

/** What the journal has of a statement, in order. */
async function recorded(id: string): Promise<{ actor: string; name: unknown; body: Record<string, unknown> }[]> {
  const events = await (await store()).selectFrom('command_event').selectAll().orderBy('sequence').execute()
  return events
    .map(({ actor, body }) => ({ actor, body: JSON.parse(body) as Record<string, unknown> }))
    .filter(({ body }) => body.statement === id)
    .map(({ actor, body }) => ({ actor, name: body.actorName, body }))
}

const chainFaults = async () => (await verifyJournal(await store(), config())).faults

describe('every edit is an event', () => {
  test('with who did it, the line, the old value and the new one, and the chain holds', async ({
    service,
    operator,
  }) => {
    const [first, second] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    const id = await importedAndRead(operator, csvOf([{ reference: first, bank: 'B-1' }]))
    const acts: LineAct[] = [
      { act: 'reference', reference: second },
      { act: 'bank-reference', bankReference: 'B-2' },
      { act: 'set-aside', reason: 'asked the bank' },
      { act: 'put-back', reason: '' },
      { act: 'look' },
    ]
    for (const act of acts) expect(await editLine(operator, id, 1, act)).toBeNull()
    const edits = (await recorded(id)).filter(({ body }) => body.kind === 'statement.edit-line')
    expect(edits.map(({ body }) => [body.what, body.old, body.new])).toEqual([
      ['reference', first, second],
      ['bank-reference', 'B-1', 'B-2'],
      ['set-aside', '', 'asked the bank'],
      ['put-back', 'asked the bank', ''],
      ['look', '', ''],
    ])
    for (const { actor, name, body } of edits) {
      expect({ actor, name, statement: body.statement, line: body.line }).toEqual({
        actor: operator.actor,
        name: 'operator@example.com',
        statement: id,
        line: 1,
      })
    }
    expect(await chainFaults()).toEqual([])
  })

  test('takes references without their invisible characters', async ({ service, operator }) => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ reference: 'DEP~0', bank: '' }]))
    const pasted = `\u200E${reference.slice(0, 6)}\u00AD${reference.slice(6)}`
    expect(await editLine(operator, id, 1, { act: 'reference', reference: pasted })).toBeNull()
    expect(await editLine(operator, id, 1, { act: 'bank-reference', bankReference: 'B\u200B-7\u2060' })).toBeNull()
    expect((await pageOf(id)).lines[0]).toMatchObject({ sought: reference, bankReference: 'B-7', status: 'by-hand' })
  })

  test('an edit that is refused is none', async ({ service, operator }) => {
    const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    await confirmForTest(operator, id)
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: 'late' })).toMatch(/confirmation was sent/)
    expect(await editLine(operator, id, 1, { act: 'set-aside', reason: '' })).toMatch(/why/)
    expect(await editLine(operator, id, 2, { act: 'look' })).toMatch(/Line not found/)
    expect((await recorded(id)).map(({ body }) => body.kind)).toEqual(['statement.import'])
  })

  test('without its event an edit is not made', async ({ service, operator }) => {
    const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10') }]))
    const db = await store()
    await sql`ALTER TABLE log_pending RENAME TO moved`.execute(db)
    try {
      await expect(editLine(operator, id, 1, { act: 'set-aside', reason: 'x' })).rejects.toThrow()
    } finally {
      await sql`ALTER TABLE moved RENAME TO log_pending`.execute(db)
    }
    expect(await statusesOf(id)).toEqual(['ready'])
  })

  test('it shows at who made it, and on the line; it is no flood of changes', async ({ service, operator, admin }) => {
    const id = await importedAndRead(operator, csvOf([{}]))
    await editLine(admin, id, 1, { act: 'reference', reference: await service.announceDeposit('10') })
    const [latest] = (await homeChanges(admin)).lately.changes
    expect(latest?.title).toBe('Line 1 of a statement: reference entered')
    const history = await commandHistory(operator, latest?.id ?? '')
    expect(history?.events[0]?.notes.map(([name]) => name)).toContain('new')
    const [line] = (await pageOf(id)).lines
    expect(line).toMatchObject({ editId: latest?.id, edited: { by: 'admin@example.com' } })
    expect(line?.soughtEntered?.by).toBe('admin@example.com')
    await editLine(operator, id, 1, { act: 'look' })
    expect((await pageOf(id)).lines[0]).toMatchObject({
      edited: { by: 'operator@example.com' },
      soughtEntered: { by: 'admin@example.com' },
    })
    for (let at = 0; at < 61; at += 1) await editLine(operator, id, 1, { act: 'put-back', reason: '' })
    expect(await hasRoom(await store(), operator.actor)).toBe(true)
  })

  test('whoever confirms the ready lines is told which of them were edited, by whom', async ({
    service,
    operator,
    admin,
  }) => {
    const [first, second] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
    const id = await importedAndRead(operator, csvOf([{ reference: first }, { reference: second }]))
    expect((await pageOf(id)).ready.edited).toEqual([])
    await editLine(admin, id, 2, { act: 'set-aside', reason: 'x' })
    await editLine(admin, id, 2, { act: 'put-back', reason: '' })
    expect((await pageOf(id)).ready.edited).toMatchObject([{ number: 2, by: 'admin@example.com' }])
  })

  test('importing and discarding a file is on record by its hash and counts, without a word of a payer', async ({
    operator,
    admin,
  }) => {
    const id = await importForTest(operator, csvOf([{ reference: 'R1', text: 'Ana Payer' }, { reference: 'R2' }]))
    expect(await discardStatement(admin, id)).not.toBeNull()
    expect(await discardStatement(operator, id)).toBeNull()
    const acts = await recorded(id)
    expect(acts.map(({ body }) => [body.kind, body.lines, body.leftOut, String(body.sha256).length])).toEqual([
      ['statement.import', 2, 0, 64],
      ['statement.discard', 2, 0, 64],
    ])
    expect(JSON.stringify(acts)).not.toMatch(/Ana|July|R1/)
    expect(await chainFaults()).toEqual([])
  })

  test.for(['statement.import', 'statement.discard', 'statement.restore', 'statement.edit-line'])(
    '%s is not made as a change of its own',
    async (name, { operator }) => {
      const reply = await draftCommand(operator, kindNamed(name)!, { line: 1, what: 'reference' })
      expect(reply.ok).toBe(false)
    },
  )
})
