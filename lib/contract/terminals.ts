import { z } from 'zod'
import { endpoint, integer, rows, textOrEmpty, timestamp, uuid } from './endpoint.ts'

const terminal = z.object({
  id: uuid,
  merchantId: z.string(),
  /** Unique across the platform. */
  terminalUid: z.string(),
  label: textOrEmpty,
  /** A response may have other values. */
  status: z.string(),
  registeredAt: timestamp,
  updatedAt: timestamp,
})

export type Terminal = z.output<typeof terminal>

const terminalList = z.object({ terminals: rows(terminal), totalCount: integer.optional().catch(undefined) })

/** The interface does not name the field. */
const LIST_FIELDS = ['terminals', 'merchantTerminals', 'items']

const asTerminalList = (data: unknown): unknown =>
  Array.isArray(data)
    ? { terminals: data }
    : { ...Object(data), terminals: LIST_FIELDS.map((field) => Object(data)[field]).find(Array.isArray) }

export const terminals = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/merchant-terminals',
    scope: 'core:merchant_terminals:read',
    query: z.object({ merchantId: z.string().optional() }),
    data: z.preprocess(asTerminalList, terminalList),
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
