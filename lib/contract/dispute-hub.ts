import type { z } from 'zod'
import { disputeCase, disputeMessage } from './disputes.ts'

/** Below the service's real-time address; carries no version. */
export const DISPUTE_HUB_PATH = '/hubs/disputes'

/** What a client may call. Each takes the case's id. */
export const hubMethods = { join: 'JoinCase', leave: 'LeaveCase' } as const

/** What the hub sends, with its one argument. */
export const hubEvents = {
  MessagePosted: disputeMessage,
  CaseOpened: disputeCase,
  CaseResolved: disputeCase,
} as const satisfies Record<string, z.ZodType>
