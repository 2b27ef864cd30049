import { Download } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#components/ui/button.tsx'
import type { RunningExport } from './running-exports.ts'

const ExportProgress = lazy(() => import('./export-progress.tsx').then((it) => ({ default: it.ExportProgress })))

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

/** Starts an export; while one runs there is nothing to start. */
export function ExportButton({ running, as = 'CSV' }: { running: RunningExport; as?: 'CSV' | 'JSON' }) {
  return (
    <Button variant="ghost" onClick={running.start} disabled={running.state?.step === 'running'}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">Export {as}</span>
    </Button>
  )
}
