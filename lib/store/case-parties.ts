import 'server-only'
import { sql } from 'kysely'

/** Of the table `case_index`. */
export const isPartyIn = (userId: string) => {
  const party = userId.toLowerCase()
  return sql<boolean>`(lower(raised_by) = ${party} OR lower(counterparty) = ${party})`
}
