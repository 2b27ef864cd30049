import 'server-only'
import pLimit from 'p-limit'
import type { DisputeCase, DisputeMessage } from '#lib/contract/disputes.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCase, readMessages } from '#lib/disputes/dispute-service.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import type { ThreadCase, ThreadMessage } from './thread.ts'

export interface ThreadPage {
  readonly messages: readonly ThreadMessage[]
  /** Rows that do not fit the contract or belong to another case. */
  readonly unreadable: number
  readonly totalCount: number
}

/** Never rejects. Skips a queued read once `signal` aborts. */
export interface ThreadService {
  readCase(caseId: string, signal?: AbortSignal): Promise<Result<ThreadCase>>
  readPage(caseId: string, page: number, signal?: AbortSignal): Promise<Result<ThreadPage>>
}

export function threadService(session: Session): ThreadService {
  return {
    readCase: (caseId) =>
      orProblem(async () => {
        const result = await readCase(session, caseId)
        return result.ok ? { ...result, value: threadCase(result.value) } : result
      }),
    readPage: (caseId, page) =>
      orProblem(async () => {
        const result = await readMessages(session, caseId, page)
        if (!result.ok) return result
        const { messages: rows, totalCount } = result.value
        const messages = rows.flatMap((row) =>
          row.readable && isOf(caseId, row.value) ? [threadMessage(row.value)] : [],
        )
        return { ...result, value: { messages, unreadable: rows.length - messages.length, totalCount } }
      }),
  }
}

/** The console's store may be down. */
async function orProblem<Value>(read: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await read()
  } catch {
    return { ok: false, problem: problemOf('unreachable') }
  }
}

export const isOf = (caseId: string, { disputeCaseId }: Pick<DisputeMessage, 'disputeCaseId'>): boolean =>
  disputeCaseId.toLowerCase() === caseId.toLowerCase()

/** Omits fields that pages do not show. */
export const threadMessage = (message: DisputeMessage): ThreadMessage => ({
  id: message.id,
  senderUserId: message.senderUserId,
  isSystemMessage: message.isSystemMessage,
  body: message.body,
  createdAt: message.createdAt,
})

/** Omits fields that pages do not show. */
export const threadCase = (found: DisputeCase): ThreadCase => ({
  id: found.id,
  referenceId: found.referenceId,
  raisedByUserId: found.raisedByUserId,
  counterpartyUserId: found.counterpartyUserId,
  status: found.status,
  reason: found.reason,
  resolutionOutcome: found.resolutionOutcome,
  resolutionReason: found.resolutionReason,
  resolvedByUserId: found.resolvedByUserId,
  createdAt: found.createdAt,
  resolvedAt: found.resolvedAt,
})

/** A reconnect reads all watched cases again, so this limits the load. */
const AT_ONCE = 8

const LEFT_OUT: Result<never> = { ok: false, problem: problemOf('unreachable') }

export function limitConcurrency(service: ThreadService, atOnce = AT_ONCE): ThreadService {
  const limit = pLimit(atOnce)
  return {
    readCase: (caseId, signal) => limit(() => (signal?.aborted ? LEFT_OUT : service.readCase(caseId))),
    readPage: (caseId, page, signal) => limit(() => (signal?.aborted ? LEFT_OUT : service.readPage(caseId, page))),
  }
}
