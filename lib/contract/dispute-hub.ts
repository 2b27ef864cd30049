import type { z } from 'zod'
import { disputeCase, disputeMessage } from './disputes.ts'

/** Below the service's real-time address, without a version. */
export const DISPUTE_HUB_PATH = '/hubs/disputes'

/** Each takes the case id. */
export const hubMethods = { join: 'JoinCase', leave: 'LeaveCase' } as const

export const hubEvents = {
  MessagePosted: disputeMessage,
  CaseOpened: disputeCase,
  CaseResolved: disputeCase,
} as const satisfies Record<string, z.ZodType>
