import { Suspense } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Download } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { RunningExport } from './running-exports.ts'

const ExportProgress = onDemand(() => import('./export-progress.tsx').then((it) => it.ExportProgress))

/** Loaded with the first export. */
export function ExportStrip({ running }: { running: RunningExport }) {
  const { state } = running
  if (state === null) return null
  return (
    <Suspense>
      <ExportProgress running={running} state={state} />
    </Suspense>
  )
}

/** The shortcut belongs to the first format. */
const KEY = 'e'

export function ExportButton({ running, as = 'CSV' }: { running: RunningExport; as?: 'CSV' | 'JSON' }) {
  const busy = running.state?.step === 'running'
  const hasKey = as === 'CSV'
  usePageKey(KEY, () => {
    if (hasKey && !busy) running.start()
  })
  return (
    <Button variant="ghost" onClick={running.start} disabled={busy} aria-keyshortcuts={hasKey ? KEY : undefined}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">Export {as}</span>
      {hasKey ? <ShortcutHint of={KEY} /> : null}
    </Button>
  )
}
