import 'server-only'
import { type Kysely, sql } from 'kysely'
import { hiddenFromParties } from '#lib/authorization/table.ts'
import type { Tables } from '#lib/store/tables.ts'

/** Of the table `case_index`. */
export const isPartyIn = (userId: string) => {
  const party = userId.toLowerCase()
  return sql<boolean>`(lower(raised_by) = ${party} OR lower(counterparty) = ${party})`
}

const isHiddenKind = (kind: string): boolean => hiddenFromParties.some((hidden) => hidden === kind)

/** Ids of changes about cases in which the person is a party, and of changes about these. Read once, by index. */
const hiddenFrom = (userId: string) => sql`ARRAY(
  WITH RECURSIVE about AS (
    SELECT unnest(ARRAY[id_key, id, upper(id_key)]) AS id FROM case_index WHERE ${isPartyIn(userId)}
    UNION SELECT change.id FROM about JOIN command AS change
      ON change.target = about.id AND change.kind = ANY(${hiddenFromParties}::text[]))
  SELECT id FROM about)`

/** For changes of others, of these kinds. `column` has their ids. */
export const shownToParty = (column: 'command.id' | 'command_id', userId: string, kinds: readonly string[]) =>
  kinds.some(isHiddenKind) ? [sql<boolean>`${sql.ref(column)} <> ALL(${hiddenFrom(userId)})`] : []

/** Whether it is hidden from the person if another person made it. */
export async function isHiddenFrom(
  db: Kysely<Tables>,
  userId: string,
  { id, kind }: { readonly id: string; readonly kind: string },
): Promise<boolean> {
  if (!isHiddenKind(kind)) return false
  return (await sql`SELECT 1 WHERE ${id} = ANY(${hiddenFrom(userId)})`.execute(db)).rows.length > 0
}
