import { z } from 'zod'
import { endpoint, integer, rows, timestamp, uuid } from './endpoint.ts'

const terminal = z.object({
  id: uuid,
  merchantId: z.string(),
  /** Unique across the platform. */
  terminalUid: z.string(),
  label: z
    .string()
    .nullish()
    .transform((label) => label ?? ''),
  /** A response may have other values. */
  status: z.string(),
  registeredAt: timestamp,
  updatedAt: timestamp,
})

export type Terminal = z.output<typeof terminal>

const listed = rows(terminal)

export const terminals = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/merchant-terminals',
    scope: 'core:merchant_terminals:read',
    query: z.object({ merchantId: z.string().optional() }),
    /** The interface does not name the fields. */
    data: z.union([
      z.object({ terminals: listed, totalCount: integer.optional().catch(undefined) }),
      listed.transform((terminals) => ({ terminals, totalCount: undefined })),
    ]),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/merchant-terminals/{terminalId}',
    scope: 'core:merchant_terminals:read',
    data: terminal,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/v1/merchant-terminals',
    scope: 'core:merchant_terminals:create',
    body: z.strictObject({ merchantId: z.string(), terminalUid: z.string(), label: z.string().optional() }),
    data: z.unknown(),
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/v1/merchant-terminals/{terminalId}/disable',
    scope: 'core:merchant_terminals:disable',
    data: z.unknown(),
  }),
} as const
