import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { referenceFault } from '#lib/transactions/reference.ts'
import { alike, type Candidate, candidatesOf } from './candidates.ts'
import type { Suggestion } from './statement-view.ts'

/** Per line, and per run. */
export const LOOK_UPS_PER_LINE = 12
export const LOOK_UPS_IN_ALL = 600
/** A text with more references is not conclusive. */
const SUGGESTIONS_MAX = 3

export interface TextSearch {
  left: number
  passedOver: number
  readonly wasRead: (reference: string) => boolean
  readonly read: (reference: string) => Promise<Result<Transaction>>
}

export type Searched =
  | { readonly ok: true; readonly found: readonly Suggestion[] }
  | { readonly ok: false; readonly problem: Problem }

/**
 * Returns references from the line's text, or respelled from its field, that exist at the service. `answered`: found
 * for the field as written.
 */
export async function searchText(
  search: TextSearch,
  line: { readonly sought: string; readonly reference: string; readonly text: string },
  answered: readonly Transaction[] = [],
): Promise<Searched> {
  const found: Suggestion[] = []
  for (const transaction of answered) keep(found, transaction, 'field')
  let looks = LOOK_UPS_PER_LINE
  for (const { reference, foundIn } of await likelyFirst(candidatesOf(line))) {
    if (looks === 0 || found.length === SUGGESTIONS_MAX) break
    if (reference === line.sought || referenceFault(reference) !== null) continue
    if (!search.wasRead(reference)) {
      if (search.left === 0) {
        search.passedOver += 1
        break
      }
      search.left -= 1
    }
    looks -= 1
    const result = await search.read(reference)
    if (!result.ok && !saysNo(result.problem)) return { ok: false, problem: result.problem }
    if (result.ok) keep(found, result.value, foundIn)
  }
  return { ok: true, found }
}

/** The service answered, but not with a transaction. A word may be another of its paths, hence 405. */
const saysNo = ({ status }: Problem): boolean => status === 400 || status === 404 || status === 405

function keep(found: Suggestion[], { referenceId, state, debit }: Transaction, foundIn: Suggestion['foundIn']): void {
  if (found.every(({ reference }) => reference !== referenceId)) {
    found.push({ reference: referenceId, foundIn, state, debit })
  }
}

/** Known references go first, in their known spelling. */
async function likelyFirst(candidates: readonly Candidate[]): Promise<Candidate[]> {
  const known = await knownAlike(await store(), [...new Set(candidates.map(({ reference }) => alike(reference)))])
  const first = candidates.flatMap(({ reference, foundIn }) =>
    (known.get(alike(reference)) ?? []).map((written) => ({ reference: written, foundIn })),
  )
  return [...new Map([...first, ...candidates].map((one) => [one.reference, one])).values()]
}

async function knownAlike(
  db: Kysely<Tables>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (texts.length === 0) return new Map()
  const { rows } = await sql<{ reference: string }>`
    SELECT DISTINCT reference FROM state_seen
    WHERE lower(replace(reference, ' ', '')) = ANY(${[...texts]}) ORDER BY reference LIMIT ${LOOK_UPS_PER_LINE}`.execute(
    db,
  )
  return Map.groupBy(
    rows.map(({ reference }) => reference),
    alike,
  )
}
