import { z } from 'zod'
import { endpoint, integer, orNull, pageQuery, plainText, referenceText, rows, timestamp, uuid } from './endpoint.ts'

export const disputeMessage = z.object({
  id: uuid,
  disputeCaseId: uuid,
  /** Null when `isSystemMessage` is true. */
  senderUserId: orNull(uuid),
  isSystemMessage: z.boolean(),
  body: z.string(),
  createdAt: timestamp,
})

export type DisputeMessage = z.output<typeof disputeMessage>

export const disputeCase = z.object({
  id: uuid,
  referenceId: referenceText,
  raisedByUserId: uuid,
  counterpartyUserId: uuid,
  /** A response may have other values. */
  status: plainText,
  reason: z.string(),
  /** The interface does not list the values. */
  resolutionOutcome: orNull(plainText),
  resolutionReason: orNull(z.string()),
  resolvedByUserId: orNull(uuid),
  createdAt: timestamp,
  resolvedAt: orNull(timestamp),
})

export type DisputeCase = z.output<typeof disputeCase>

export const resolution = z.strictObject({
  /** False: a reversing transaction refunds the sender. */
  releaseToRecipient: z.boolean(),
  resolutionReason: z.string(),
})

export type Resolution = z.input<typeof resolution>

const listQuery = pageQuery.extend({ all: z.string().optional(), status: z.string().optional() })

export const disputes = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/Dispute',
    scope: 'core:disputes:read',
    query: listQuery,
    data: z.object({ cases: rows(disputeCase), totalCount: integer }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/Dispute/{caseId}',
    scope: 'core:disputes:read',
    data: disputeCase.extend({ messages: rows(disputeMessage) }),
  }),
  messages: endpoint({
    method: 'GET',
    path: '/api/v1/Dispute/{caseId}/messages',
    scope: 'core:disputes:read',
    query: pageQuery,
    data: z.object({ messages: rows(disputeMessage), totalCount: integer }),
  }),
  post: endpoint({
    method: 'POST',
    path: '/api/v1/Dispute/{caseId}/messages',
    scope: 'core:disputes:message',
    body: z.strictObject({ body: z.string() }),
    data: disputeMessage,
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/api/v1/Dispute/{caseId}/resolve',
    scope: 'core:disputes:resolve',
    stepUp: 'always',
    body: resolution,
    /** A refund's answer contains its reference, in a field that the interface does not name. */
    data: z.unknown(),
  }),
} as const

export const DISPUTE_HUB_PATH = '/hubs/disputes'

export const hubMethods = { join: 'JoinCase', leave: 'LeaveCase' } as const

export const hubEvents = {
  MessagePosted: disputeMessage,
  CaseOpened: disputeCase,
  CaseResolved: disputeCase,
} as const satisfies Record<string, z.ZodType>
