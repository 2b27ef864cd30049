import type { Caller } from '#sandbox/http/caller.ts'
import type { Page } from '#sandbox/http/page.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'
import { caseBody } from './wire.ts'

const statuses = ['OPEN', 'RESOLVED'] as const

export interface CaseFilter {
  readonly all: boolean
  readonly status: (typeof statuses)[number] | null
}

/** Validated for every caller, although only dispute admins are affected. */
export function readCaseFilter(query: {
  readonly all?: string | undefined
  readonly status?: string | undefined
}): CaseFilter {
  const all = (query.all ?? 'false').toLowerCase()
  if (all !== 'true' && all !== 'false') throw invalidField('all', 'must be true or false')
  const status = statuses.find((known) => known === query.status) ?? null
  if (query.status !== undefined && status === null) throw invalidField('status', 'must be OPEN or RESOLVED')
  return { all: all === 'true', status }
}

/** Only a dispute admin can list all cases (interface.md, "Disputes"). */
export async function listCases(world: World, caller: Caller, filter: CaseFilter, page: Page): Promise<Answer> {
  const { userId } = caller
  const everybodys = filter.all && caller.can.disputeAdmin === true
  const cases = everybodys
    ? world.db
        .selectFrom('dispute_case')
        .$if(filter.status !== null, (query) => query.where('status', '=', filter.status))
    : world.db
        .selectFrom('dispute_case')
        .where(({ or, eb }) => or([eb('raised_by_user_id', '=', userId), eb('counterparty_user_id', '=', userId)]))
  const { total } = await cases.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await cases
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute()
  return ok({ cases: rows.map(caseBody), totalCount: total })
}
