import 'server-only'
import { type Kysely, type Selectable, sql } from 'kysely'
import { inJournal } from '#lib/commands/journal/append.ts'
import { appendNote } from '#lib/commands/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { dropSnoozes } from './snooze-table.ts'

interface Claim {
  readonly caseId: string
  readonly holder: string
  readonly holderName: string
  readonly since: string
}

const claimIn = (row: Selectable<Tables['case_claim']>): Claim => ({
  caseId: row.case_id,
  holder: row.holder,
  holderName: row.holder_name,
  since: row.since,
})

/** By lower-case id; ids in any case. */
export async function claimsOf(db: Kysely<Tables>, caseIds: readonly string[]): Promise<ReadonlyMap<string, Claim>> {
  if (caseIds.length === 0) return new Map()
  const ids = caseIds.map((id) => id.toLowerCase())
  const rows = await db
    .selectFrom('case_claim')
    .selectAll()
    .where('case_id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.case_id, claimIn(row)]))
}

export async function claimOf(db: Kysely<Tables>, caseId: string): Promise<Claim | null> {
  return (await claimsOf(db, [caseId])).get(caseId.toLowerCase()) ?? null
}

/** The caller holds the claim's lock. */
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

/** Applies to cases that anyone resolved. The end is noted on the command that made the claim. */
export async function endClaims(db: Kysely<Tables>, resolvedIds: readonly string[]): Promise<void> {
  // Usually there is no claim, so no lock is taken.
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
      appendNote(trx, command_id, { ended: 'the case is resolved', holder: holder_name })
    }
  })
}
