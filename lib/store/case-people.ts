import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** More than this is no choice any more. */
const PEOPLE_MAX = 100

interface Since {
  /** Now; ISO 8601, like the others. */
  readonly now: string
  /** A session without activity since then is over. */
  readonly active: string
  /** Whoever worked on a case since then counts without a session. */
  readonly worked: string
}

/** Written out, as the index that has these has it. */
const OF_CASES = sql<boolean>`(kind LIKE 'case.%' OR kind LIKE 'dispute.%') AND sent_at IS NOT NULL`

/** Goes from person to person and reads the latest of each, however many commands there are. */
const atWorkSince = (db: Kysely<Tables>, worked: string) =>
  db
    .selectFrom(
      sql<{ actor: string }>`(
        WITH RECURSIVE person AS (
          (SELECT actor FROM command WHERE ${OF_CASES} ORDER BY actor LIMIT 1)
          UNION ALL
          SELECT (SELECT c.actor FROM command c WHERE ${OF_CASES} AND c.actor > person.actor ORDER BY c.actor LIMIT 1)
          FROM person WHERE person.actor IS NOT NULL
        )
        SELECT actor FROM person WHERE actor IS NOT NULL)`.as('person'),
    )
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('command')
          .select('command.actor_name as name')
          .where(OF_CASES)
          .whereRef('command.actor', '=', 'person.actor')
          .where('command.sent_at', '>', worked)
          .orderBy('command.sent_at', 'desc')
          .limit(1)
          .as('latest'),
      (join) => join.onTrue(),
    )
    .select(['person.actor', 'latest.name'])

/** Who can be given a case: people of this console with a session, or who worked on a case lately; by name. */
export async function knownPeople(
  db: Kysely<Tables>,
  { now, active, worked }: Since,
): Promise<readonly { readonly actor: string; readonly name: string }[]> {
  const signedIn = db
    .selectFrom('session')
    .select(['actor', 'display_name as name'])
    .where('ends_at', '>', now)
    .where('last_active_at', '>', active)
  return await db
    .selectFrom(signedIn.unionAll(atWorkSince(db, worked)).as('known'))
    // Somebody may have had another name in an earlier session: each person is named once.
    .select(({ fn }) => ['actor', fn.max('name').as('name')])
    .groupBy('actor')
    .orderBy('name')
    .orderBy('actor')
    .limit(PEOPLE_MAX)
    .execute()
}
