import 'server-only'
import type { DisputeCase, DisputeCaseWithThread, DisputeMessage } from '#lib/contract/disputes.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { PAGE_SIZE_MAX, type Row } from '#lib/contract/wire.ts'
import { onlyAbout, type Result } from '#lib/service/answer.ts'
import { read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'

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

export interface MessagePage {
  readonly messages: readonly Row<DisputeMessage>[]
  readonly totalCount: number
}

export function listCases(session: Session, request: CaseListRequest): Promise<Result<CasePage>> {
  const { all, status, page, pageSize } = request
  return read(
    session,
    endpoints.disputes.list,
    {},
    {
      ...(all ? { all: 'true' } : {}),
      ...(status === null ? {} : { status }),
      page: String(page),
      pageSize: String(pageSize),
    },
  )
}

/** `GET Dispute/{caseId}`: with the first page of messages. 404 if not visible to the caller. */
export const readCase = async (session: Session, caseId: string): Promise<Result<DisputeCaseWithThread>> =>
  onlyAbout(caseId, await read(session, endpoints.disputes.read, { caseId }))

/** `GET Dispute/{caseId}/messages`: `page` from 1, 100 rows. */
export const readMessages = (session: Session, caseId: string, page: number): Promise<Result<MessagePage>> =>
  read(session, endpoints.disputes.messages, { caseId }, { page: String(page), pageSize: String(PAGE_SIZE_MAX) })

/** `POST Dispute/{caseId}/messages`: refused on a resolved case. */
export const postMessage = (session: Session, caseId: string, body: string): Promise<Sent<DisputeMessage>> =>
  send(session, endpoints.disputes.post, { caseId }, { body })

export interface ResolutionRequest {
  /** True: the recipient keeps the money. False: a reversing transaction refunds the sender. */
  readonly releaseToRecipient: boolean
  readonly resolutionReason: string
}

/** `POST Dispute/{caseId}/resolve`: requires step-up; the answer is unspecified. */
export const resolveCase = (session: Session, caseId: string, resolution: ResolutionRequest): Promise<Sent<unknown>> =>
  send(session, endpoints.disputes.resolve, { caseId }, resolution)

/** `POST Transaction/dispute/resolve`: requires step-up; the answer is unspecified. */
export const resolveTransaction = (
  session: Session,
  resolution: ResolutionRequest & { readonly referenceId: string },
): Promise<Sent<unknown>> => send(session, endpoints.transactions.resolveDispute, {}, resolution)
