import { type Kysely, sql } from 'kysely'

const NAMES = {
  'statement.take': 'statement.import',
  'case.claim': 'case.assign',
  'case.take-over': 'case.reassign-to-me',
  'case.hand-over': 'case.reassign',
  'case.release': 'case.unassign',
} as const

/** Kinds and columns have the words of the screen. The journal's events keep those that they were written with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [before, now] of Object.entries(NAMES)) {
    await sql`UPDATE command SET kind = ${now} WHERE kind = ${before}`.execute(db)
  }
  await sql`ALTER TABLE statement_line RENAME COLUMN parked_reason TO set_aside_reason`.execute(db)
  await sql`ALTER TABLE statement_line RENAME COLUMN parked_by TO set_aside_by`.execute(db)
  await sql`ALTER TABLE command RENAME COLUMN look_until TO reconcile_until`.execute(db)
}
