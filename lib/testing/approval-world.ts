import { randomUUID } from 'node:crypto'
import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { CommandReply, Outcome } from '#lib/commands/command.ts'
import { readFactsNow } from '#lib/commands/policy/approval-view.ts'
import { askForApproval, decideApproval } from '#lib/commands/policy/approvals.ts'
import { findCommand } from '#lib/commands/store.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import { draftForTest } from './gated-deposit.ts'
import type { TestService } from './test-service.ts'

/** Drafts the confirmation of a new deposit; answers the id of the change and the deposit's reference. */
export async function draftDeposit(service: TestService, maker: Session, amount: string) {
  const referenceId = await service.announceDeposit(amount)
  const params = { referenceId, bankReference: randomUUID(), statementAmount: amount }
  return { id: await draftForTest(maker, 'deposit.confirm', params), referenceId }
}

/** Drafts it, and asks for approval. */
export async function awaiting(service: TestService, maker: Session, amount: string) {
  const drafted = await draftDeposit(service, maker, amount)
  await askForApproval(maker, drafted.id, { reason: 'On the statement of today', proof: null })
  return drafted
}

export const effectOf = async (id: string): Promise<string> => (await findCommand(await store(), id))?.effect ?? ''

/** Decides as somebody who was shown the change as it is. */
export async function decide(by: Session, id: string, approves = true, reason = ''): Promise<CommandReply> {
  const now = approves ? await readFactsNow(by, id) : null
  const seen = now?.ok ? { factsMark: now.changedFacts.mark } : {}
  return await decideApproval(by, id, { approves, effect: await effectOf(id), reason, ...seen })
}

export const stateOf = async (id: string): Promise<string | undefined> => (await findCommand(await store(), id))?.state

export const outcomeOf = async (id: string): Promise<Outcome> =>
  JSON.parse((await findCommand(await store(), id))?.outcome ?? 'null') as Outcome

/** The bodies of a change's events, the first one first. */
export const bodiesOf = async (id: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await findEvents(await store(), id)).map(({ body, state }) => ({ ...JSON.parse(body), state }))

/** As if so many hours more had passed since it was asked for. False when nobody has asked yet. */
export async function age(id: string, hours: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await tamper(
    sql`UPDATE approval_request SET expires_at = expires_at - ${hours * 3600} WHERE command_id = ${id}`,
  )
  return numAffectedRows > 0n
}

/** Records that `by` entered a reference by hand, at the draft of a deposit of `maker`. */
export async function enterReference(service: TestService, maker: Session, by: Session, reference: string) {
  const { id } = await draftDeposit(service, maker, '1')
  const entered = { edit_id: id, actor: by.actor, reference, bank_key: null }
  await (await store()).insertInto('entered_reference').values(entered).execute()
}

/** Changes rows past the triggers that keep them as they are. */
export async function tamper(statement: RawBuilder<unknown>): Promise<QueryResult<unknown>> {
  return await inTransaction(await store(), async (trx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(trx)
    return await statement.execute(trx)
  })
}
