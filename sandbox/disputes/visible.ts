import { uuid } from '#lib/contract/endpoint.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { Db, Trx } from '#sandbox/world/tables.ts'
import type { CaseRow } from './wire.ts'

/** Does not show whether the case exists or is other people's. */
const caseNotFound = (): Refusal => new Refusal(404, 'core::disputes::not_found', 'No such dispute case.')

const selectCase = (db: Db, caseId: string) =>
  db
    .selectFrom('dispute_case')
    .selectAll()
    .where('id', '=', uuid.safeParse(caseId).success ? caseId.toLowerCase() : '')

/** Visible to its two parties and dispute admins (interface.md, "Disputes"). */
function requireVisible(caller: Caller, row: CaseRow | undefined): CaseRow {
  const party = row?.raised_by_user_id === caller.userId || row?.counterparty_user_id === caller.userId
  if (row === undefined || !(party || caller.can.disputeAdmin === true)) throw caseNotFound()
  return row
}

/** 404 for a hidden case. REST and the hub both use this check. */
export const visibleCase = async (db: Db, caller: Caller, caseId: string): Promise<CaseRow> =>
  requireVisible(caller, await selectCase(db, caseId).executeTakeFirst())

export const lockedVisibleCase = async (trx: Trx, caller: Caller, caseId: string): Promise<CaseRow> =>
  requireVisible(caller, await selectCase(trx, caseId).forUpdate().executeTakeFirst())

export function requireOpen(row: CaseRow): void {
  if (row.status !== 'OPEN') throw new Refusal(409, 'core::disputes::resolved', 'This case is resolved and read-only.')
}
