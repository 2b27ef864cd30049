import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** More than this is no choice any more. */
const PEOPLE_MAX = 100

interface Candidate {
  readonly actor: string
  readonly name: string
}

/** Notes that somebody can be given a case, as of now. */
export async function putCandidate(db: Kysely<Tables>, { actor, name }: Candidate): Promise<void> {
  const known_at = new Date().toISOString()
  await db
    .insertInto('case_candidate')
    .values({ actor, name, known_at })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ name, known_at }))
    .execute()
}

/** From now on this person can be given no case. */
export async function dropCandidate(db: Kysely<Tables>, actor: string): Promise<void> {
  await db.deleteFrom('case_candidate').where('actor', '=', actor).execute()
}

/** Who can be given a case, as known since a time (ISO 8601); by name. */
export function listCandidates(db: Kysely<Tables>, since: string): Promise<Candidate[]> {
  return db
    .selectFrom('case_candidate')
    .select(['actor', 'name'])
    .where('known_at', '>', since)
    .orderBy('name')
    .orderBy('actor')
    .limit(PEOPLE_MAX)
    .execute()
}
