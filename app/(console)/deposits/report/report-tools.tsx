'use client'

import { useEffect, useRef, useState } from 'react'
import { saveFile } from '#components/export/receive-export.ts'
import { Button } from '#components/ui/button.tsx'
import { serverNowMs, useTimeFirst } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/text.ts'
import { formatLocal, formatUtc } from '#lib/values/time.ts'
import { readReport } from '../statements/statement-requests.ts'

export function ReportTools({ day, by }: { day: string; by: string }) {
  const format = useTimeFirst() === 'local' ? formatLocal : formatUtc
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const printed = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // The browser prints before React could render.
    const showTime = () => printed.current?.replaceChildren(`, ${format(new Date(serverNowMs()).toISOString())}`)
    addEventListener('beforeprint', showTime)
    return () => removeEventListener('beforeprint', showTime)
  }, [format])
  const exportCsv = async () => {
    if (busy) return
    setBusy(true)
    const file = await readReport(day)
    setBusy(false)
    setFault(file.ok ? null : file.why)
    if (file.ok) saveFile(file.value.name, [file.value.text])
  }
  return (
    <>
      <Button
        variant="outline"
        size="field"
        className="print:hidden"
        aria-disabled={busy}
        onClick={() => void exportCsv()}
      >
        Export CSV
      </Button>
      <Button variant="outline" size="field" className="print:hidden" onClick={() => window.print()}>
        Print
      </Button>
      {fault === null ? null : (
        <p role="status" className="w-full text-attention text-sm print:hidden">
          {fault}
        </p>
      )}
      <p className="hidden w-full text-sm print:block">
        Printed by {visibleText(by)}
        <span ref={printed} />
      </p>
    </>
  )
}
