import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { CaseCount } from './case-counts.ts'

/** How many cases of a party this console has seen, by status and outcome, without one of them. */
export async function countCasesWith(
  db: Kysely<Tables>,
  partyId: string,
  exceptCaseId: string,
): Promise<readonly CaseCount[]> {
  const party = partyId.toLowerCase()
  return await db
    .selectFrom('case_seen')
    .select(({ fn }) => ['status', 'outcome', fn.countAll<number>().as('count')])
    .where(({ or, eb }) =>
      or([eb(sql<string>`lower(raised_by)`, '=', party), eb(sql<string>`lower(counterparty)`, '=', party)]),
    )
    .where('id_key', '<>', exceptCaseId.toLowerCase())
    .groupBy(['status', 'outcome'])
    .execute()
}
