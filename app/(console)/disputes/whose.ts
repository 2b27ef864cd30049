import type { ClaimFilter } from '#lib/disputes/queue/queue.ts'

/** Keys are values in the address; texts are labels. */
export const whoseWords = { mine: 'Mine', unassigned: 'Unassigned', all: 'Everyone’s' } as const

export type Whose = keyof typeof whoseWords

export const whose: readonly Whose[] = ['mine', 'unassigned', 'all']

export const whoseIn = (told: string): Whose => whose.find((known) => known === told) ?? 'all'

export const claimOf = (chosen: Whose): ClaimFilter | null => (chosen === 'all' ? null : chosen)
