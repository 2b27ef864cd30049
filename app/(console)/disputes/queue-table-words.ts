import type { CaseList } from '#lib/disputes/queue/queue.ts'

/** The key under which the operator's choice of columns is saved. */
export const QUEUE_TABLE = 'dispute-queue'

/** `order` describes the default order. */
export const listTitles: Readonly<Record<CaseList, { readonly name: string; readonly order: string }>> = {
  OPEN: { name: 'Open cases', order: ', oldest first' },
  RESOLVED: { name: 'Resolved cases', order: ', latest first' },
  ALL: { name: 'All cases', order: ', oldest first' },
}
