import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { Result } from '#lib/service/answer.ts'
import type { CaseThread } from './case-thread.ts'
import type { ThreadPage, ThreadService } from './thread-service.ts'

/** Pages shift while people post, so a pass may miss a message. */
const PASSES_MAX = 3

export interface Reading {
  readonly service: ThreadService
  readonly caseId: string
  readonly thread: CaseThread
  readonly signal?: AbortSignal
  onEvent(event: CaseEvent): void
}

/** Returns the problem of a failed read, or null. `thread.complete` may still be false. */
export async function readThread(reading: Reading): Promise<Problem | null> {
  const { service, caseId, thread, onEvent, signal } = reading
  const [found, first] = await Promise.all([service.readCase(caseId, signal), service.readPage(caseId, 1, signal)])
  if (!found.ok) return found.problem
  if (thread.readCase(found.value)) onEvent({ type: 'case', case: found.value, readOnly: thread.readOnly })
  return await readMessages(reading, first)
}

export async function readMessages(reading: Reading, first?: Result<ThreadPage>): Promise<Problem | null> {
  const { service, caseId, thread, signal } = reading
  let problem = await readPages(reading, first ?? (await service.readPage(caseId, 1, signal)))
  for (let pass = 2; pass <= PASSES_MAX && problem === null && !thread.complete; pass += 1) {
    problem = await readPages(reading, await service.readPage(caseId, 1, signal))
  }
  return problem
}

async function readPages(reading: Reading, first: Result<ThreadPage>): Promise<Problem | null> {
  const { service, caseId, thread, onEvent, signal } = reading
  const totals = new Set<number>()
  let rows = 0
  let unreadable = 0
  for (let page = 1, result = first; ; page += 1, result = await service.readPage(caseId, page, signal)) {
    if (!result.ok) return result.problem
    const { messages, unreadable: bad, totalCount } = result.value
    const news = thread.readMessages(messages, totalCount)
    if (news.length > 0) onEvent({ type: 'messages', messages: news })
    if (thread.complete) return null
    totals.add(totalCount)
    rows += messages.length + bad
    unreadable += bad
    if (messages.length + bad === 0 || rows >= totalCount) break
  }
  // If pages shifted, a row may have been counted twice.
  if (totals.size === 1) thread.countUnreadable(unreadable)
  return null
}
