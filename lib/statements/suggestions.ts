import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import type { Result } from '#lib/service/answer.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { referenceFault } from '#lib/transactions/index.ts'
import { alike, type Candidate, candidatesOf } from './candidates.ts'
import type { Suggestion } from './statement-view.ts'

/** So many texts of one line are looked up, and so many of all lines that are looked up together. */
export const LOOK_UPS_PER_LINE = 12
export const LOOK_UPS_IN_ALL = 600
/** A line that holds more references says nothing by them. */
const SUGGESTIONS_MAX = 3

/** Looking for references in the texts of lines, with what it may still take. */
export interface TextSearch {
  /** How many look-ups are left. */
  left: number
  /** Lines whose text was not looked through for want of look-ups. */
  passedOver: number
  /** Whether a reference was read already, so that reading it again is no call. */
  readonly wasRead: (reference: string) => boolean
  readonly read: (reference: string) => Promise<Result<Transaction>>
}

export type Searched =
  | { readonly ok: true; readonly found: readonly Suggestion[] }
  | { readonly ok: false; readonly problem: Problem }

/**
 * The references that stand in the text of a line, or in its field with other spaces or in another case: only those that the
 * service answers for. Those that this console has read before go first. `answered`: what it gave for the field as it stands.
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

/** Whether the service has answered, and not for a transaction: a word may also be the name of another of its addresses. */
const saysNo = ({ status }: Problem): boolean => status === 400 || status === 404 || status === 405

function keep(found: Suggestion[], { referenceId, state, debit }: Transaction, foundIn: Suggestion['foundIn']): void {
  if (found.every(({ reference }) => reference !== referenceId)) {
    found.push({ reference: referenceId, foundIn, state, debit })
  }
}

/** Known references that are alike come first, as they are written. */
async function likelyFirst(candidates: readonly Candidate[]): Promise<Candidate[]> {
  const known = await knownAlike(await store(), [...new Set(candidates.map(({ reference }) => alike(reference)))])
  const first = candidates.flatMap(({ reference, foundIn }) =>
    (known.get(alike(reference)) ?? []).map((written) => ({ reference: written, foundIn })),
  )
  return [...new Map([...first, ...candidates].map((one) => [one.reference, one])).values()]
}

/** The references that this console has read, by what is alike in them. */
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
