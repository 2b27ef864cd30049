import { randomUUID } from 'node:crypto'
import { insertDraft } from '#lib/commands/store.ts'
import type { Claim } from '#lib/disputes/workspace/workspace.ts'
import { claimOf, putClaim } from '#lib/disputes/workspace/workspace-tables.ts'
import { store } from '#lib/store/store.ts'
import { inTransaction } from '#lib/store/transaction.ts'

interface ClaimedCase {
  readonly claim: Claim | null
  readonly commandId: string
}

/** Puts a case with somebody, as a command would. */
export async function claimedBy(holder: string, caseId: string): Promise<ClaimedCase> {
  const db = await store()
  const commandId = randomUUID()
  const drafted = { id: commandId, kind: 'case.assign', actor: holder, actorName: holder, target: caseId }
  await insertDraft(db, { ...drafted, params: '{}', facts: '{}' })
  const claim = { caseId, holder, holderName: `${holder}@example.com`, since: new Date().toISOString() }
  await inTransaction(db, (trx) => putClaim(trx, claim, commandId))
  return { claim: await claimOf(db, caseId), commandId }
}
