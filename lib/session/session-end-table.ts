import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** A deleted session takes its handles and its box with it. Each of these answers the ids of what was there. */
type Ids = Promise<readonly string[]>

export function deleteSession(db: Kysely<Tables>, id: string): Ids {
  return idsOf(db.deleteFrom('session').where('id', '=', id).returning('id').execute())
}

/** All sessions of a person; `except` leaves one. */
export function deleteSessionsOf(db: Kysely<Tables>, actor: string, except: string | null): Ids {
  const all = db.deleteFrom('session').where('actor', '=', actor).returning('id')
  return idsOf((except === null ? all : all.where('id', '!=', except)).execute())
}

export function deleteSessionsByIdpSid(db: Kysely<Tables>, sid: string): Ids {
  return idsOf(db.deleteFrom('session').where('idp_sid', '=', sid).returning('id').execute())
}

export function deleteSessionsByIdpSubject(db: Kysely<Tables>, subject: string): Ids {
  return idsOf(db.deleteFrom('session').where('idp_subject', '=', subject).returning('id').execute())
}

/** What decides whether a session lives, and which ones to ask about. Times are ISO 8601. */
interface Sweep {
  readonly ids: readonly string[]
  readonly now: string
  /** Sessions that were last active then, or earlier, are over. */
  readonly idleSince: string
}

/**
 * One statement: deletes every session past its limits and every handle that answers no more, and says which of the
 * sessions asked about live on.
 */
export async function sweepSessions(db: Kysely<Tables>, { ids, now, idleSince }: Sweep): Promise<ReadonlySet<string>> {
  const living = db
    .with('ended', (query) =>
      query
        .deleteFrom('session')
        .where((row) => row.or([row('ends_at', '<=', now), row('last_active_at', '<=', idleSince)])),
    )
    .with('silent', (query) => query.deleteFrom('session_handle').where('answers_until', '<=', now))
    .selectFrom('session')
    .select('id')
    .where(sql<boolean>`id = ANY(${[...ids]})`)
    .where('ends_at', '>', now)
    .where('last_active_at', '>', idleSince)
  return new Set(await idsOf(living.execute()))
}

async function idsOf(rows: Promise<readonly { readonly id: string }[]>): Ids {
  return (await rows).map(({ id }) => id)
}
