import { z } from 'zod'
import { moneyNumber, uuid } from '#lib/contract/endpoint.ts'

/** The interface shows only `useEscrow`; the other fields are the sandbox's choice. */
const gasTier = z.enum(['SLOW', 'STANDARD', 'FAST']).default('STANDARD')
const note = z.string().max(500).default('')
const useEscrow = z.boolean().default(false)

export const p2pRequest = z.strictObject({
  recipientId: uuid.toLowerCase(),
  amount: moneyNumber,
  note,
  gasTier,
  useEscrow,
})

export const purchaseRequest = z.strictObject({
  merchantId: z.string().min(1).max(64),
  amount: moneyNumber,
  /** The card's state and caps also decide. */
  cardId: uuid.toLowerCase().optional(),
  note,
  gasTier,
  useEscrow,
})

export const withdrawRequest = z.strictObject({
  amount: moneyNumber,
  bankAccount: z.string().trim().min(4).max(34),
  note,
})
