import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { Snippet } from './snippet.ts'

export async function listSnippets(db: Kysely<Tables>): Promise<readonly Snippet[]> {
  const rows = await db.selectFrom('snippet').selectAll().where('removed_at', 'is', null).orderBy('name_key').execute()
  return rows.map(({ id, name, text, changed_by_name: changedBy, changed_at: changedAt }) => ({
    id,
    name,
    text,
    changedBy,
    changedAt,
  }))
}
