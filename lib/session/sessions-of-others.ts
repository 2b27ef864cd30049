import { noteFault } from '#lib/values/text.ts'

export const sessionOrders = ['person', 'started', 'active', 'address'] as const

export type SessionOrder = (typeof sessionOrders)[number]

export const SESSIONS_ADDRESS = { sortable: sessionOrders, filterable: [] } as const

export const endReasonFault = (reason: string): string | null => noteFault(reason, 'Enter a reason.')
