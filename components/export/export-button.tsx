'use client'

import { Download } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import type { RunningExport } from './running-exports.ts'

/** Starts an export; while one runs there is nothing to start. */
export function ExportButton({ running }: { running: RunningExport }) {
  return (
    <Button look="quiet" onClick={running.start} disabled={running.state?.step === 'running'}>
      <Download aria-hidden />
      <span className="max-sm:sr-only">Export CSV</span>
    </Button>
  )
}
