import type { ClaimFilter } from '#lib/disputes/queue/queue.ts'
import { sameAccount } from '#lib/values/ids.ts'

/** Keys are values in the address; texts are labels. */
export const paneFilterWords = { mine: 'Mine', unassigned: 'Unassigned', all: 'Everyone’s' } as const

export type PaneFilter = keyof typeof paneFilterWords

export const paneFilters: readonly PaneFilter[] = ['mine', 'unassigned', 'all']

export const readPaneFilter = (value: string): PaneFilter => paneFilters.find((known) => known === value) ?? 'all'

export const claimOf = (chosen: PaneFilter): ClaimFilter | null => (chosen === 'all' ? null : chosen)

interface Arrival {
  readonly caseId: string
  /** The case that was resolved before it. */
  readonly from: string | null
  /** Why it was assigned to the operator; null if it was already theirs. */
  readonly chosen: string | null
}

/** Module state is set only in the browser: on the server, it would be shared by all operators. */
const chosen: { filter: PaneFilter; arrival: Arrival | null; queue: { caseId: string; query: string } | null } = {
  filter: 'all',
  arrival: null,
  queue: null,
}

export const setPaneFilter = (filter: PaneFilter): void => {
  chosen.filter = filter
}

export const paneFilter = (): PaneFilter => chosen.filter

export const arrivalAt = (caseId: string): Arrival | null =>
  chosen.arrival !== null && sameAccount(chosen.arrival.caseId, caseId) ? chosen.arrival : null

/** `query`: of the queue that the case was chosen from, with its filters. */
export const recordArrival = (arrival: Arrival, query: string): void => {
  chosen.arrival = arrival
  chosen.queue = { caseId: arrival.caseId, query }
}

export const queueQueryOf = (caseId: string): string =>
  chosen.queue !== null && sameAccount(chosen.queue.caseId, caseId) ? chosen.queue.query : ''

export const clearArrival = (): void => {
  chosen.arrival = null
}
