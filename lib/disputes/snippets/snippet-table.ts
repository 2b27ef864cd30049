import 'server-only'
import type { Insertable, Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { nameKey, type Snippet } from './snippet.ts'

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

export interface SnippetState {
  readonly name: string
  readonly changedAt: string
  readonly changedBy: string
  readonly removed: boolean
}

/** Includes removed snippets. */
export async function findSnippet(db: Kysely<Tables>, id: string): Promise<SnippetState | null> {
  const row = await db.selectFrom('snippet').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  const { name, changed_at: changedAt, changed_by_name: changedBy, removed_at } = row
  return { name, changedAt, changedBy, removed: removed_at !== null }
}

export async function othersThan(
  db: Kysely<Tables>,
  id: string,
  name: string,
): Promise<{ readonly named: boolean; readonly count: number }> {
  const others = (await listSnippets(db)).filter((other) => other.id !== id)
  return { named: others.some((other) => nameKey(other.name) === nameKey(name)), count: others.length }
}

export async function putSnippet(
  trx: Trx,
  { id, ...row }: Omit<Insertable<Tables['snippet']>, 'name_key' | 'removed_at'>,
): Promise<void> {
  const now = { ...row, name_key: nameKey(row.name), removed_at: null }
  await trx
    .insertInto('snippet')
    .values({ id, ...now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(now))
    .execute()
}

/** Null restores it. */
export async function markSnippet(
  trx: Trx,
  id: string,
  change: { readonly removed_at: string | null; readonly changed_by: string; readonly changed_by_name: string },
): Promise<void> {
  await trx
    .updateTable('snippet')
    .set({ ...change, changed_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}
