import { useSyncExternalStore } from 'react'
import type { WaitingNews } from '#lib/commands/approvals/approval.ts'

/** Filled in the browser only: the server renders for everyone. */
let latest: WaitingNews = { toDecide: [], approved: [], notApproved: [], attention: 0 }
const listeners = new Set<() => void>()

/** Tells the rail. */
export function announceWaiting(news: WaitingNews): void {
  latest = news
  for (const listen of listeners) listen()
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

const nothing: WaitingNews = latest

export const useWaiting = (): WaitingNews =>
  useSyncExternalStore(
    listen,
    () => latest,
    () => nothing,
  )
