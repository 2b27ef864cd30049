import type { z } from 'zod'
import { disputeCase, disputeMessage } from './disputes.ts'

export const DISPUTE_HUB_PATH = '/hubs/disputes'

export const hubMethods = { join: 'JoinCase', leave: 'LeaveCase' } as const

export const hubEvents = {
  MessagePosted: disputeMessage,
  CaseOpened: disputeCase,
  CaseResolved: disputeCase,
} as const satisfies Record<string, z.ZodType>
