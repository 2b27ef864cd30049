import { sameAccount } from '#lib/values/ids.ts'
import type { QueueFilter } from '../../queue-links.tsx'

/** Module state is set only in the browser: on the server, it would be shared by all operators. */
const chosen: { filter: QueueFilter; arrival: { caseId: string; from: string } | null } = {
  filter: 'all',
  arrival: null,
}

export const setQueueFilter = (filter: QueueFilter): void => {
  chosen.filter = filter
}

export const queueFilter = (): QueueFilter => chosen.filter

/** The case whose resolution opened this one automatically; null when the case was opened in another way. */
export const arrivedFrom = (caseId: string): string | null =>
  chosen.arrival !== null && sameAccount(chosen.arrival.caseId, caseId) ? chosen.arrival.from : null

export const recordArrival = (caseId: string, from: string): void => {
  chosen.arrival = { caseId, from }
}

export const clearArrival = (): void => {
  chosen.arrival = null
}
