import { Suspense, useSyncExternalStore } from 'react'
import { onSessionBack } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { listeners } from '#components/ui/hydrated.tsx'
import { Download } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { RunningExport } from './export-progress.tsx'
import type { ExportState } from './receive-export.ts'

interface Export {
  readonly state: ExportState
  readonly leaving: AbortController
}

/** Exports continue while other pages of the console are open. */
const exportsByAddress = new Map<string, Export>()
const { listen, tell } = listeners()
let hearing = false

function put(address: string, entry: Export | null): void {
  if (entry === null) exportsByAddress.delete(address)
  else exportsByAddress.set(address, entry)
  tell()
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
  const show = (state: ExportState) => {
    // A newer export may have replaced this one.
    if (exportsByAddress.get(address)?.leaving === leaving) put(address, { state, leaving })
  }
  import('./receive-export.ts').then(
    ({ receiveExport }) => receiveExport(address, leaving.signal, show),
    () => show({ step: 'failed', rows: 0, problem: problemOf('console-unreachable') }),
  )
}

export function useExport(address: string): RunningExport {
  const state = useSyncExternalStore(
    listen,
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

const ExportProgress = onDemand(() => import('./export-progress.tsx').then((it) => it.ExportProgress))

export function ExportStrip({ running }: { running: RunningExport }) {
  const { state } = running
  if (state === null) return null
  return (
    <Suspense>
      <ExportProgress running={running} state={state} />
    </Suspense>
  )
}

const KEY = 'e'

export function ExportButton({ running, as = 'CSV' }: { running: RunningExport; as?: 'CSV' | 'JSON' }) {
  const busy = running.state?.step === 'running'
  const hasKey = as === 'CSV'
  const begin = () => {
    if (!busy) running.start()
  }
  usePageKey(KEY, () => {
    if (hasKey) begin()
  })
  return (
    <Button variant="ghost" onClick={begin} aria-disabled={busy} aria-keyshortcuts={hasKey ? KEY : undefined}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">Export {as}</span>
      {hasKey ? <ShortcutHint of={KEY} /> : null}
    </Button>
  )
}
