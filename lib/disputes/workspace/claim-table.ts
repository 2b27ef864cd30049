import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { noteOn } from '#lib/commands/command-table.ts'
import { inJournal } from '#lib/commands/journal.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { dropSnoozes } from './snooze-table.ts'

/** Who works on a case. */
interface Claim {
  /** In small letters. */
  readonly caseId: string
  /** The actor. */
  readonly holder: string
  readonly holderName: string
  /** ISO 8601. */
  readonly since: string
}

const claimIn = (row: Selectable<Tables['case_claim']>): Claim => ({
  caseId: row.case_id,
  holder: row.holder,
  holderName: row.holder_name,
  since: row.since,
})

/** The claims on some cases, by the case's id in small letters; an unassigned case is not among them. Ids in any case. */
export async function claimsOf(db: Kysely<Tables>, caseIds: readonly string[]): Promise<ReadonlyMap<string, Claim>> {
  if (caseIds.length === 0) return new Map()
  const ids = caseIds.map((id) => id.toLowerCase())
  // One parameter, however many cases a sweep has.
  const rows = await db
    .selectFrom('case_claim')
    .selectAll()
    .where('case_id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.case_id, claimIn(row)]))
}

/** Null when the case is unassigned. */
export async function claimOf(db: Kysely<Tables>, caseId: string): Promise<Claim | null> {
  return (await claimsOf(db, [caseId])).get(caseId.toLowerCase()) ?? null
}

/** Puts a claim in the place of the one before. Whoever calls holds the lock of the case's claim. */
export async function putClaim(
  trx: Trx,
  { caseId, holder, holderName, since }: Claim,
  commandId: string,
): Promise<void> {
  await dropSnoozes(trx, [caseId])
  const claim = { holder, holder_name: holderName, since, command_id: commandId }
  await trx
    .insertInto('case_claim')
    .values({ case_id: caseId.toLowerCase(), ...claim })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(claim))
    .execute()
}

export async function dropClaim(trx: Trx, caseId: string): Promise<void> {
  await dropSnoozes(trx, [caseId])
  await trx.deleteFrom('case_claim').where('case_id', '=', caseId.toLowerCase()).execute()
}

/**
 * Frees cases that the service shows as resolved, whoever resolved them. The journal has it beside the command that made
 * each claim. Does nothing where there is no claim.
 */
export async function endClaims(db: Kysely<Tables>, resolvedIds: readonly string[]): Promise<void> {
  // Nearly always there is nothing to end: then nothing is locked.
  if ((await claimsOf(db, resolvedIds)).size === 0) return
  const ids = resolvedIds.map((id) => id.toLowerCase())
  await inJournal(db, async (trx) => {
    await dropSnoozes(trx, ids)
    const ended = await trx
      .deleteFrom('case_claim')
      .where('case_id', '=', sql<string>`ANY(${ids}::text[])`)
      .returningAll()
      .execute()
    for (const { command_id, holder_name } of ended) {
      noteOn(trx, command_id, { ended: 'the case is resolved', holder: holder_name })
    }
  })
}
