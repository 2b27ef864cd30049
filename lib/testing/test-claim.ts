import { randomUUID } from 'node:crypto'
import { insertDraft } from '#lib/commands/store.ts'
import type { Claim } from '#lib/disputes/workspace/workspace.ts'
import { addNote, claimOf, putClaim } from '#lib/disputes/workspace/workspace-tables.ts'
import { inTransaction, store } from '#lib/store/store.ts'

interface ClaimedCase {
  readonly claim: Claim | null
  readonly commandId: string
}

/** Puts a case with somebody, as a command would. */
export async function claimedBy(holder: string, caseId: string): Promise<ClaimedCase> {
  const db = await store()
  const commandId = await drafted('case.assign', holder, caseId)
  const claim = { caseId, holder, holderName: `${holder}@example.com`, since: new Date().toISOString() }
  await inTransaction(db, (trx) => putClaim(trx, claim, commandId))
  return { claim: await claimOf(db, caseId), commandId }
}

async function drafted(kind: string, actor: string, target: string): Promise<string> {
  const id = randomUUID()
  await insertDraft(await store(), { id, kind, actor, actorName: actor, target, params: '{}', facts: '{}' })
  return id
}

/** Puts a note on a case. */
export async function noted(author: string, caseId: string): Promise<void> {
  const id = await drafted('case.note', author, caseId)
  const note = { id, case_id: caseId, author, author_name: author, text: 'Noted.', at: new Date().toISOString() }
  await inTransaction(await store(), (trx) => addNote(trx, note))
}
