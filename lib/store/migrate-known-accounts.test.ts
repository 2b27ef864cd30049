import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { accountHash } from '#lib/session/sign-in/known-accounts.ts'
import { up } from './migrations/0049-known-accounts.ts'

test('learns accounts that name one person from the trail', async () => {
  const { db, close } = await open('memory:', { poolSize: 1 })
  await sql`CREATE TABLE audit_entry (at text, kind text, actor text, actor_name text)`.execute(db)
  const entries = [
    ['2026-01-01', 'session.sign-in', 'sso:1', 'Mia@example.com'],
    ['2026-02-01', 'session.sign-in', 'sso:1', 'mia@example.com '],
    ['2026-03-01', 'session.refused', 'sso:2', 'ana@example.com'],
    ['2026-04-01', 'session.sign-in', 'sso:3', 'Desk'],
    ['2026-05-01', 'session.sign-in', 'sso:4', 'desk'],
  ]
  for (const [at, kind, actor, name] of entries) {
    await sql`INSERT INTO audit_entry VALUES (${at}, ${kind}, ${actor}, ${name})`.execute(db)
  }
  await up(db)
  const { rows } = await sql`SELECT account_hash, actor, last_at FROM known_account`.execute(db)
  expect(rows).toEqual([{ account_hash: accountHash('mia@example.com'), actor: 'sso:1', last_at: '2026-02-01' }])
  await close()
})
