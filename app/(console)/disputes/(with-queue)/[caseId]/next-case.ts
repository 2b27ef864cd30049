import { serverNowMs } from '#components/values/timestamp.tsx'
import { byAge, type QueueRow } from '#lib/disputes/queue/queue.ts'
import { indexWords, oldWords } from '#lib/disputes/queue/words.ts'
import { awayWords } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { assignNext } from '../../next-assignment.ts'
import { readQueue } from '../../use-current-queue.ts'
import type { PaneFilter } from './case-navigation.ts'

export interface CurrentCase {
  readonly id: string
  readonly createdAt: string
}

/** `chosen`: why the case was assigned to the operator; null if it was already theirs. `why`: no case was opened. */
export type NextCase = { readonly caseId: string; readonly chosen: string | null } | { readonly why: string }

/** Open cases in queue order after the current one, then from the top, without those the operator is a party to. */
export function casesAfter(
  rows: readonly QueueRow[],
  current: CurrentCase,
  userId: string | null,
): readonly QueueRow[] {
  const isParty = ({ raisedBy, against }: QueueRow) =>
    userId !== null && (sameAccount(raisedBy, userId) || sameAccount(against, userId))
  const open = rows.filter((row) => row.status === 'OPEN' && !isParty(row) && !sameAccount(row.id, current.id))
  const isAfter = (row: QueueRow) => byAge(row, { ...row, id: current.id, createdAt: current.createdAt }) > 0
  const inOrder = open.toSorted(byAge)
  return [...inOrder.filter(isAfter), ...inOrder.filter((row) => !isAfter(row))]
}

/** The operator's next case if the filter shows own ones, else the unassigned one that needs a person most. */
export async function nextCaseOf(
  filter: PaneFilter,
  current: CurrentCase,
  { userId, query }: { readonly userId: string | null; readonly query: string },
): Promise<NextCase> {
  if (filter !== 'unassigned') {
    const read = await readQueue(new URLSearchParams({ after: current.id, claim: 'mine' }).toString())
    if (!read.ok) return { why: `${problemWords(read.problem).title}.` }
    const { index, rows } = read.value
    if (index.completeAt === null) return { why: indexWords(index) }
    const [own] = casesAfter(rows, current, userId)
    if (own !== undefined) return { caseId: own.id, chosen: null }
    if (filter === 'mine') return { why: oldWords(index, serverNowMs()) || 'You have no more open cases.' }
  }
  const next = await assignNext(query, false)
  return 'awayUntil' in next ? { why: `You are ${awayWords(next.awayUntil)}, so none was assigned.` } : next
}
