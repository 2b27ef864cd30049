import 'server-only'
import pLimit from 'p-limit'
import { problemOfError } from '#lib/commands/send.ts'
import { type DisputeCase, type DisputeMessage, disputeCase, type Resolution } from '#lib/contract/disputes.ts'
import { PAGE_SIZE_MAX, type Row } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { onlyAbout, type Result, read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'

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

export const threadService = (session: Session): ThreadService => ({
  readCase: (caseId) => orProblem(() => readCase(session, caseId)),
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
})

/** The console's store may be down. */
async function orProblem<Value>(read: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await read()
  } catch (error) {
    return { ok: false, problem: problemOfError(error) }
  }
}

export const isOf = (caseId: string, { disputeCaseId }: Pick<DisputeMessage, 'disputeCaseId'>): boolean =>
  disputeCaseId.toLowerCase() === caseId.toLowerCase()

export const threadMessage = ({ disputeCaseId: _, ...message }: DisputeMessage): ThreadMessage => message

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

export interface CaseListRequest {
  /** The service ignores it unless the caller is an admin. */
  readonly all: boolean
  /** The service applies it to the admin's list only. */
  readonly status: 'OPEN' | 'RESOLVED' | null
  /** From 1. */
  readonly page: number
  /** At most 100. */
  readonly pageSize: number
}

export interface CasePage {
  /** The service does not guarantee an order. */
  readonly cases: readonly Row<DisputeCase>[]
  readonly totalCount: number
}

export function listCases(session: Session, request: CaseListRequest): Promise<Result<CasePage>> {
  const { all, status, page, pageSize } = request
  const which = { ...(all ? { all: 'true' } : {}), ...(status === null ? {} : { status }) }
  return read(session, endpoints.disputes.list, {}, { ...which, page: String(page), pageSize: String(pageSize) })
}

/** `GET Dispute/{caseId}`, without its messages. 404 if not visible to the caller. */
export const readCase = async (session: Session, caseId: string): Promise<Result<DisputeCase>> =>
  onlyAbout(caseId, await read(session, { ...endpoints.disputes.read, data: disputeCase }, { caseId }))

/** `GET Dispute/{caseId}/messages`: `page` from 1, 100 rows. */
export const readMessages = (session: Session, caseId: string, page: number) =>
  read(session, endpoints.disputes.messages, { caseId }, { page: String(page), pageSize: String(PAGE_SIZE_MAX) })

/** `POST Dispute/{caseId}/messages`: refused on a resolved case. */
export const postMessage = (session: Session, caseId: string, body: string): Promise<Sent<DisputeMessage>> =>
  send(session, endpoints.disputes.post, { caseId }, { body })

/** `POST Dispute/{caseId}/resolve`: requires step-up; the answer is unspecified. */
export const resolveCase = (session: Session, caseId: string, resolution: Resolution): Promise<Sent<unknown>> =>
  send(session, endpoints.disputes.resolve, { caseId }, resolution)

/** `POST Transaction/dispute/resolve`: requires step-up; the answer is unspecified. */
export const resolveTransaction = (
  session: Session,
  resolution: Resolution & { readonly referenceId: string },
): Promise<Sent<unknown>> => send(session, endpoints.transactions.resolveDispute, {}, resolution)
