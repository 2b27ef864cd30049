/** By what the list of everybody's sessions can be ordered. */
export const sessionOrders = ['person', 'started', 'active', 'address'] as const

export type SessionOrder = (typeof sessionOrders)[number]

/** What an address may set of that list. */
export const SESSIONS_ADDRESS = { sortable: sessionOrders, filterable: [] } as const
