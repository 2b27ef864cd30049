import { useSyncExternalStore } from 'react'
import type { ApprovalNews } from '#lib/commands/approvals/approval.ts'

/** Filled in the browser only: the server renders for everyone. */
let latest: ApprovalNews = { toDecide: [], approved: [], notApproved: [] }
const listeners = new Set<() => void>()

/** Tells the rail. */
export function announceApprovals(news: ApprovalNews): void {
  latest = news
  for (const listen of listeners) listen()
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

const nothing: ApprovalNews = latest

/** The changes that wait for this person. */
export const useApprovals = (): ApprovalNews =>
  useSyncExternalStore(
    listen,
    () => latest,
    () => nothing,
  )
