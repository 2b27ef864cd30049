import type { CaseList } from '#lib/disputes/queue/queue.ts'

/** Under this name the person's choice of columns is kept. */
export const QUEUE_TABLE = 'dispute-queue'

/** A list's name, and its order as long as nobody asks for another one. */
export const listTitles: Readonly<Record<CaseList, { readonly name: string; readonly order: string }>> = {
  OPEN: { name: 'Open cases', order: ', oldest first' },
  RESOLVED: { name: 'Resolved cases', order: ', latest first' },
  ALL: { name: 'All cases', order: ', oldest first' },
}
