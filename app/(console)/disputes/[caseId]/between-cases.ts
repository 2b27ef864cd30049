import type { ClaimFilter } from '#lib/disputes/queue/queue.ts'
import { sameAccount } from '#lib/values/user-id.ts'

/** Whose cases the list beside a case shows. */
export type QueueFilter = Extract<ClaimFilter, 'mine' | 'unassigned'> | 'all'

/** Filled in the browser only: the server renders for everyone. */
const chosen: { filter: QueueFilter; arrival: { caseId: string; from: string } | null } = {
  filter: 'all',
  arrival: null,
}

/** What the list beside the open case shows from now on. */
export const keepQueueFilter = (filter: QueueFilter): void => {
  chosen.filter = filter
}

export const queueFilter = (): QueueFilter => chosen.filter

/** The case that was resolved right before this one was opened by itself; null where it was opened in another way. */
export const arrivedFrom = (caseId: string): string | null =>
  chosen.arrival !== null && sameAccount(chosen.arrival.caseId, caseId) ? chosen.arrival.from : null

export const noteArrival = (caseId: string, from: string): void => {
  chosen.arrival = { caseId, from }
}

export const forgetArrival = (): void => {
  chosen.arrival = null
}
