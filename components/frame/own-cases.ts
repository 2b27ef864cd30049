'use client'

import { useSyncExternalStore } from 'react'
import type { OwnCases } from '#lib/disputes/unread/own-cases.ts'

/** Filled in the browser only: the server renders for everyone. A page whose person changes is loaded anew. */
let latest: OwnCases | null = null
let latestText = ''
const listeners = new Set<(own: OwnCases | null) => void>()

/** Tells the whole page; null for who has none to be told of. */
export function announceOwnCases(own: OwnCases | null): void {
  const text = JSON.stringify(own)
  // The same answer again changes nothing that is shown.
  if (text !== latestText) [latest, latestText] = [own, text]
  for (const listen of [...listeners]) listen(latest)
}

/** Hears every announcement, also one that brings nothing new. Answers how to stop. */
export function onOwnCases(listen: (own: OwnCases | null) => void): () => void {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** The open cases of which the person is the assignee; null before anything is known of them. */
export const useOwnCases = (): OwnCases | null =>
  useSyncExternalStore(
    onOwnCases,
    () => latest,
    () => null,
  )
