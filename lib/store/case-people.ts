import 'server-only'
import type { Kysely } from 'kysely'
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
  const atWork = db
    .selectFrom('command')
    .select(['actor', 'actor_name as name'])
    .where('sent_at', '>', worked)
    .where(({ or, eb }) => or([eb('kind', 'like', 'case.%'), eb('kind', 'like', 'dispute.%')]))
  return await db
    .selectFrom(signedIn.unionAll(atWork).as('known'))
    // Somebody may have had another name in an earlier session: each person is named once.
    .select(({ fn }) => ['actor', fn.max('name').as('name')])
    .groupBy('actor')
    .orderBy('name')
    .orderBy('actor')
    .limit(PEOPLE_MAX)
    .execute()
}
