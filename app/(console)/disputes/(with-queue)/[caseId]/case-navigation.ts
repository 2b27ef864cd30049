import type { ClaimFilter } from '#lib/disputes/queue/queue.ts'
import { sameAccount } from '#lib/values/ids.ts'

/** Keys are values in the address; texts are labels. */
export const paneFilterWords = { mine: 'Mine', unassigned: 'Unassigned', all: 'Everyone’s' } as const

export type PaneFilter = keyof typeof paneFilterWords

export const paneFilters: readonly PaneFilter[] = ['mine', 'unassigned', 'all']

export const readPaneFilter = (value: string): PaneFilter => paneFilters.find((known) => known === value) ?? 'all'

export const claimOf = (chosen: PaneFilter): ClaimFilter | null => (chosen === 'all' ? null : chosen)

/** Why a case opened automatically: `from` was resolved before it, or the reason for its choice. */
type Arrival = { readonly caseId: string } & ({ readonly from: string } | { readonly chosen: string })

/** Module state is set only in the browser: on the server, it would be shared by all operators. */
const chosen: { filter: PaneFilter; arrival: Arrival | null } = {
  filter: 'all',
  arrival: null,
}

export const setPaneFilter = (filter: PaneFilter): void => {
  chosen.filter = filter
}

export const paneFilter = (): PaneFilter => chosen.filter

export const arrivalAt = (caseId: string): Arrival | null =>
  chosen.arrival !== null && sameAccount(chosen.arrival.caseId, caseId) ? chosen.arrival : null

export const recordArrival = (arrival: Arrival): void => {
  chosen.arrival = arrival
}

export const clearArrival = (): void => {
  chosen.arrival = null
}
