import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { partPattern } from '#lib/store/transaction.ts'
import type { CommandRow } from './command-table.ts'

/** Bounds partial matches per kind; an exact name matches at any age. */
const SEARCHED_MAX = 2_000

interface Naming {
  readonly part: string
  /** A partial name is compared with the key after its colon. */
  readonly lock: string
  readonly actor: string
  readonly kinds: readonly string[]
}

/** Also finds confirmations by their bank reference. */
export async function findNaming(
  db: Kysely<Tables>,
  { part, lock, actor, kinds }: Naming,
  limit: number,
): Promise<CommandRow[]> {
  const pattern = partPattern(part)
  const inJson = partPattern(JSON.stringify(part).slice(1, -1))
  const bankReference = sql<boolean>`CASE WHEN kind = 'deposit.confirm' AND params ILIKE ${inJson}
    THEN substring(params FROM '"bankReference":"((?:[^"\\\\]|\\\\.)*)"') ILIKE ${inJson} ELSE false END`
  const lockPart = partPattern(lock.slice(lock.indexOf(':') + 1))
  const holdsPart = sql<boolean>`CASE WHEN kind = 'deposit.confirm' THEN EXISTS (
    SELECT 1 FROM command_lock WHERE command_id = latest.id AND key LIKE ${lockPart}) ELSE false END`
  const latest = (column: 'actor' | 'kind', value: string) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('command')
          .select(['id', 'sent_at', 'kind', 'target', 'params'])
          .where(column, '=', value)
          .where('sent_at', 'is not', null)
          .orderBy('sent_at', 'desc')
          .orderBy('id')
          .limit(SEARCHED_MAX)
          .as('latest'),
      )
      .select(['id', 'sent_at'])
      .where(({ or, eb }) => or([eb('target', 'ilike', pattern), bankReference, holdsPart]))
  const seen = db
    .selectFrom('command')
    .select(['command.id', 'sent_at'])
    .where('sent_at', 'is not', null)
    .where(({ or, eb }) => or([eb('actor', '=', actor), ...(kinds.length === 0 ? [] : [eb('kind', 'in', kinds)])]))
  const whole = seen.where('target', '=', part)
  const holder = seen.innerJoin('command_lock', 'command_id', 'command.id').where('key', '=', lock)
  const found = await latest('actor', actor)
    .union([whole, holder, ...kinds.map((kind) => latest('kind', kind))])
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  if (found.length === 0) return []
  return await db
    .selectFrom('command')
    .selectAll()
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .execute()
}
