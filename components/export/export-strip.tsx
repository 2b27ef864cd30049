import { Download } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { usePageKey } from '#components/ui/use-page-key.ts'
import type { RunningExport } from './running-exports.ts'

const ExportProgress = onDemand(() => import('./export-progress.tsx').then((it) => it.ExportProgress))

/** How far an export is, or what came of it: a strip across the table it is of. It is loaded with the first export. */
export function ExportStrip({ running }: { running: RunningExport }) {
  const { state } = running
  if (state === null) return null
  return (
    <Suspense>
      <ExportProgress running={running} state={state} />
    </Suspense>
  )
}

/** Of the formats a table is exported in, the first has the key. */
const KEY = 'e'

interface ExportButtonProps {
  running: RunningExport
  as?: 'CSV' | 'JSON'
}

/** Starts an export, by a click or by its key; while one runs there is nothing to start. */
export function ExportButton({ running, as = 'CSV' }: ExportButtonProps) {
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
