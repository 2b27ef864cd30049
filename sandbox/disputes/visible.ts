import { uuid } from '#lib/contract/wire.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { Db, Trx } from '#sandbox/world/tables.ts'
import type { CaseRow } from './wire.ts'

/** The same for an unknown case and for one of other people, so that it tells neither from the other. */
const caseNotFound = (): Refusal => new Refusal(404, 'core::disputes::not_found', 'No such dispute case.')

/** What is not a UUID names no case, and is not asked for. */
const selectCase = (db: Db, caseId: string) =>
  db
    .selectFrom('dispute_case')
    .selectAll()
    .where('id', '=', uuid.safeParse(caseId).success ? caseId.toLowerCase() : '')

/** Its two parties and dispute admins see a case; for everyone else it does not exist (interface.md, "Disputes"). */
function requireVisible(caller: Caller, row: CaseRow | undefined): CaseRow {
  const party = row?.raised_by_user_id === caller.userId || row?.counterparty_user_id === caller.userId
  if (row === undefined || !(party || caller.can.disputeAdmin === true)) throw caseNotFound()
  return row
}

/** A case that the caller may see; refuses with 404 otherwise. The one check of REST and of the hub. */
export async function visibleCase(db: Db, caller: Caller, caseId: string): Promise<CaseRow> {
  return requireVisible(caller, await selectCase(db, caseId).executeTakeFirst())
}

/** The same under the case's lock: until the transaction ends, nobody else writes in it or closes it. */
export async function lockedVisibleCase(trx: Trx, caller: Caller, caseId: string): Promise<CaseRow> {
  return requireVisible(caller, await selectCase(trx, caseId).forUpdate().executeTakeFirst())
}

/** A resolved case is read-only. */
export function requireOpen(row: CaseRow): void {
  if (row.status !== 'OPEN') throw new Refusal(409, 'core::disputes::resolved', 'This case is resolved and read-only.')
}
