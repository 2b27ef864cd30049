import { sendAtOnce } from '#components/command/command-client.ts'
import { byAge, type QueueRow } from '#lib/disputes/queue/queue.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { readQueue } from '../../use-current-queue.ts'
import type { PaneFilter } from './case-navigation.ts'

export interface CurrentCase {
  readonly id: string
  readonly createdAt: string
}

export type NextCase =
  | { readonly kind: 'case'; readonly caseId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-known'; readonly why: string }

/**
 * Open cases in queue order, starting after the current one and continuing from the top. Excludes cases to which the
 * operator is a party.
 */
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

/**
 * Reads the queue again and returns the operator's next case. An unassigned one is assigned first; if another person
 * took it, the one after it is tried. `owner`: the actor for whom the page was rendered.
 */
export async function nextCaseOf(
  filter: PaneFilter,
  current: CurrentCase,
  { owner, userId }: { readonly owner: string; readonly userId: string | null },
): Promise<NextCase> {
  const rows: QueueRow[] = []
  for (const claim of filter === 'all' ? ['mine', 'unassigned'] : [filter]) {
    const read = await readQueue(new URLSearchParams({ after: current.id, claim }).toString())
    if (!read.ok) return notKnown(`${problemWords(read.problem).title}.`)
    if (read.value.index.completeAt === null) return notKnown('The list of open cases is still loading.')
    rows.push(...read.value.rows)
  }
  for (const { id, claim } of casesAfter(rows, current, userId)) {
    if (claim !== null) return { kind: 'case', caseId: id }
    const tried = await assign(id, owner)
    if (tried !== 'taken') return tried
  }
  return { kind: 'none' }
}

async function assign(caseId: string, owner: string): Promise<NextCase | 'taken'> {
  const reply = await sendAtOnce({ id: crypto.randomUUID(), owner, kind: 'case.assign', params: { caseId } })
  if (reply === null) return notKnown('The console did not answer. The next case may be assigned to you.')
  if (!reply.ok) return reply.problem === null ? 'taken' : notKnown(`${problemWords(reply.problem).title}.`)
  const { outcome } = reply.command
  if (outcome.class === 'done') return { kind: 'case', caseId }
  if (outcome.class === 'refused') return 'taken'
  return notKnown('It is not known yet whether the next case was assigned to you.')
}

const notKnown = (why: string): NextCase => ({ kind: 'not-known', why })
