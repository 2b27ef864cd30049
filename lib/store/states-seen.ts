import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A state in which this console has read a transaction. */
export interface SeenState {
  readonly reference: string
  readonly state: string
  /** ISO 8601. */
  readonly firstSeenAt: string
}

/** Keeps states in the order given. One that was seen before keeps its first time. */
export async function insertStatesSeen(db: Kysely<Tables>, seen: readonly SeenState[]): Promise<void> {
  await db
    .insertInto('state_seen')
    .values(seen.map(({ reference, state, firstSeenAt }) => ({ reference, state, first_seen_at: firstSeenAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The states of some transactions, the earliest of each first. */
export async function findStatesSeen(db: Kysely<Tables>, references: readonly string[]): Promise<SeenState[]> {
  if (references.length === 0) return []
  const rows = await db
    .selectFrom('state_seen')
    .select(['reference', 'state', 'first_seen_at'])
    .where('reference', 'in', references)
    .orderBy('first_seen_at')
    .orderBy('seen_order')
    .execute()
  return rows.map((row) => ({ reference: row.reference, state: row.state, firstSeenAt: row.first_seen_at }))
}
