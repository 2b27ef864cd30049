'use client'

import { CircleAlert, FileUp, Loader } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type DragEvent, Suspense, useId, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { onDemand } from '#components/ui/on-demand.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { ColumnMapping, CsvHead } from '#lib/statements/file/csv.ts'
import type { FileFault } from '#lib/statements/file/statement.ts'
import { notAStatement, SNIFFED_BYTES } from '#lib/statements/not-a-statement.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { importFile } from './statement-requests.ts'

const MapColumns = onDemand(() => import('./map-columns.tsx').then((it) => it.MapColumns))

const FILE_MAX_BYTES = 5 * 1024 * 1024

interface Given {
  readonly file: File
  readonly head: CsvHead | null
  readonly faults: readonly FileFault[]
}

/** Where a bank's file is dropped or chosen, its columns are mapped, and what is wrong with it is told. */
export function ImportFile() {
  const router = useRouter()
  const hydrated = useHydrated()
  const [given, setGiven] = useState<Given | null>(null)
  const [importing, setImporting] = useState(false)
  const [over, setOver] = useState(false)
  const id = useId()

  const importGiven = async (file: File, mapping: ColumnMapping | null) => {
    const broken = (what: string) => setGiven({ file, head: null, faults: [{ place: null, what }] })
    if (file.size > FILE_MAX_BYTES) {
      const beginning = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer())
      return broken(notAStatement(beginning) ?? 'The file is larger than 5 MB. Split it.')
    }
    setImporting(true)
    const asked = await importFile(file, mapping)
    setImporting(false)
    if (!asked.ok) return broken(asked.why)
    const { imported } = asked.value
    if (imported.kind === 'imported') {
      router.push(`/deposits/statements/${imported.id}?next=1${imported.already ? '&again=1' : ''}`)
    } else setGiven({ file, head: imported.head, faults: imported.kind === 'broken' ? imported.faults : [] })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined && !importing) void importGiven(file, null)
  }
  return (
    <Panel title="Import statement">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'm-3.5 grid justify-items-center gap-2 rounded-md border border-dashed px-3.5 py-8 text-center',
          over ? 'border-primary bg-muted' : 'border-input',
        )}
      >
        <label
          htmlFor={id}
          className={cn(
            buttonVariants({ variant: given === null ? 'default' : 'outline', size: 'lg' }),
            'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
          )}
        >
          {importing ? <Loader aria-hidden className="animate-spin" /> : <FileUp aria-hidden />}
          {importing ? 'Reading the file' : 'Choose a statement'}
          <input
            id={id}
            type="file"
            className="sr-only"
            disabled={!hydrated || importing}
            accept=".csv,.txt,.xml,.sta,.mt940,.940"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0]
              event.currentTarget.value = ''
              if (file !== undefined) void importGiven(file, null)
            }}
          />
        </label>
        <p className="text-secondary-foreground text-sm">or drop it here</p>
        <p className="max-w-prose text-muted-foreground text-xs">
          A table (CSV), camt.053 or MT940, up to 5 MB and 10,000 lines. It is imported whole or not at all. Nothing is
          confirmed by this.
        </p>
      </div>
      {given === null || given.faults.length === 0 ? null : (
        <FileFaults fileName={given.file.name} faults={given.faults} />
      )}
      {given?.head == null ? null : (
        <Suspense>
          <MapColumns
            key={given.file.name}
            fileName={given.file.name}
            head={given.head}
            importing={importing}
            onMap={(mapping) => void importGiven(given.file, mapping)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

/** What is wrong with a file, by its lines. */
function FileFaults({ fileName, faults }: { fileName: string; faults: readonly FileFault[] }) {
  return (
    <div role="alert" className="flex gap-3 border-t bg-attention-wash px-3.5 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <div className="min-w-0">
        <p className="break-words font-semibold">Nothing of {visibleText(fileName)} was imported</p>
        <ul className="mt-1 grid gap-0.5 text-sm">
          {faults.map(({ place, what }) => (
            <li key={`${place} ${what}`} className="break-words">
              {place === null ? '' : <span className="figures font-[550]">Line {place.toLocaleString('en-US')}: </span>}
              {visibleText(what)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
