import { useSyncExternalStore } from 'react'
import { onSessionBack } from '#components/service/session-events.ts'
import { type ExportState, receiveExport } from './receive-export.ts'

interface Export {
  readonly state: ExportState
  readonly leaving: AbortController
}

/** By address. Exports continue while other pages of the console are open. */
const exportsByAddress = new Map<string, Export>()
const listeners = new Set<() => void>()
let hearing = false

function put(address: string, entry: Export | null): void {
  if (entry === null) exportsByAddress.delete(address)
  else exportsByAddress.set(address, entry)
  for (const listen of listeners) listen()
}

/** Restarts exports that the end of the session interrupted. */
function goOn(): void {
  for (const [address, { state }] of exportsByAddress) {
    if (state.step === 'failed' && state.problem.kind === 'session-over') start(address)
  }
}

export function start(address: string): void {
  if (!hearing) onSessionBack(goOn)
  hearing = true
  const leaving = new AbortController()
  put(address, { state: { step: 'running', read: 0, total: null }, leaving })
  void receiveExport(address, leaving.signal, (state) => {
    // A newer export may have replaced this one.
    if (exportsByAddress.get(address)?.leaving === leaving) put(address, { state, leaving })
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface RunningExport {
  /** Null before the first export and after dismissal. */
  readonly state: ExportState | null
  start(): void
  cancel(): void
  dismiss(): void
}

export function useExport(address: string): RunningExport {
  const state = useSyncExternalStore(
    subscribe,
    () => exportsByAddress.get(address)?.state ?? null,
    () => null,
  )
  return {
    state,
    start: () => start(address),
    cancel: () => exportsByAddress.get(address)?.leaving.abort(),
    dismiss: () => put(address, null),
  }
}
