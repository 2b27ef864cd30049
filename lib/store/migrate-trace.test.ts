import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { up } from './migrations/0020-trace-and-way-of-signing-in.ts'

test('a store of before gains the trace id of each command’s latest answer, out of its events', async () => {
  const { db, close } = await open('memory:', { poolSize: 1 })
  await sql`CREATE TABLE command (id text PRIMARY KEY, sent_at text)`.execute(db)
  await sql`CREATE TABLE command_event (sequence integer, command_id text, state text, body text)`.execute(db)
  const at = '2026-11-20T10:00:00.000Z'
  await sql`INSERT INTO command VALUES ('told', ${at}), ('again', ${at}), ('none', ${at}), ('unsent', NULL)`.execute(db)
  const events: readonly [id: string, state: string, body: object][] = [
    ['told', 'sent', { params: { note: '"traceId":"from the params"' } }],
    ['told', 'unknown', { params: { note: '"traceId":"from the params"' }, traceId: 'trace-1' }],
    ['told', 'applied', { answer: 'read' }],
    ['again', 'challenged', { traceId: 'trace-2' }],
    ['again', 'sent', { again: true }],
    ['none', 'done', { traceId: null }],
    ['unsent', 'closed', { why: '\0' }],
  ]
  for (const [at, [id, state, body]] of events.entries()) {
    await sql`INSERT INTO command_event VALUES (${at}, ${id}, ${state}, ${JSON.stringify(body)})`.execute(db)
  }
  await up(db)
  const { rows } = await sql<{
    id: string
    trace_id: string | null
  }>`SELECT id, trace_id FROM command ORDER BY id`.execute(db)
  expect(rows).toEqual([
    { id: 'again', trace_id: null },
    { id: 'none', trace_id: null },
    { id: 'told', trace_id: 'trace-1' },
    { id: 'unsent', trace_id: null },
  ])
  await close()
})
