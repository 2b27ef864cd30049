'use client'

import { useSyncExternalStore } from 'react'
import type { AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'

/** Set in the browser only: on the server, operators would share it. The page reloads for another operator. */
let latest: AssignedCases | null = null
let latestText = ''
const listeners = new Set<(own: AssignedCases | null) => void>()

/** Null for an operator who cannot have cases. */
export function announceOwnCases(own: AssignedCases | null): void {
  const text = JSON.stringify(own)
  // Keeps the object, so that React does not render again.
  if (text !== latestText) [latest, latestText] = [own, text]
  for (const listen of [...listeners]) listen(latest)
}

/** Also called when an announcement repeats the previous one. */
export function onOwnCases(listen: (own: AssignedCases | null) => void): () => void {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** Null before the first announcement. */
export const useOwnCases = (): AssignedCases | null =>
  useSyncExternalStore(
    onOwnCases,
    () => latest,
    () => null,
  )
