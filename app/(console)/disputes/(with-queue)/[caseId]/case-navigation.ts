import { sameAccount } from '#lib/values/ids.ts'
import type { QueueFilter } from '../../queue-links.tsx'

/** Why a case opened automatically: `from` was resolved before it, or the reason for its choice. */
type Arrival = { readonly caseId: string } & ({ readonly from: string } | { readonly chosen: string })

/** Module state is set only in the browser: on the server, it would be shared by all operators. */
const chosen: { filter: QueueFilter; arrival: Arrival | null } = {
  filter: 'all',
  arrival: null,
}

export const setQueueFilter = (filter: QueueFilter): void => {
  chosen.filter = filter
}

export const queueFilter = (): QueueFilter => chosen.filter

export const arrivalAt = (caseId: string): Arrival | null =>
  chosen.arrival !== null && sameAccount(chosen.arrival.caseId, caseId) ? chosen.arrival : null

export const recordArrival = (arrival: Arrival): void => {
  chosen.arrival = arrival
}

export const clearArrival = (): void => {
  chosen.arrival = null
}
