'use client'

import { useRouter } from 'next/navigation'
import { type DragEvent, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated, useIsHere } from '#components/ui/hydrated.tsx'
import { CircleAlert, FileUp, Loader } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { ColumnMapping, DraftMapping, FileFault, TableView } from '#lib/statements/file/statement.ts'
import type { KeptFile } from '#lib/statements/kept-file.ts'
import { FILE_MAX_BYTES, notAStatement, SNIFFED_BYTES } from '#lib/statements/not-a-statement.ts'
import type { ImportAnswer, ImportPreview } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { importFile, readFileAgain } from './statement-requests.ts'

const MapColumns = onDemand(() => import('./map-columns.tsx').then((it) => it.MapColumns))
const CheckImport = onDemand(() => import('./check-import.tsx').then((it) => it.CheckImport))

const NO_ANSWER_TO_IMPORT = 'No result. Check the connection and import again: a file is never imported twice.'
const UNREADABLE = 'The file cannot be read. Choose it again.'

interface Trouble {
  readonly title: string
  readonly faults: readonly FileFault[]
}

interface Chosen {
  /** Numbers the choices, because the same file may be chosen twice. */
  readonly id: number
  /** A copy in memory: the import sends the previewed bytes even if the file on disk changes. */
  readonly file: File
  readonly trouble: Trouble | null
  readonly columns: { readonly head: TableView; readonly draft: DraftMapping; readonly why: string | null } | null
  readonly preview: ImportPreview | null
  /** The last reason sent for importing in spite of warnings. */
  readonly reason: string
  readonly replaces: string | null
}

const notImported = (file: File, ...faults: readonly FileFault[]): Trouble => ({
  title: `${visibleText(file.name)} was not imported`,
  faults,
})

const aboutFile = (what: string): FileFault => ({ place: null, what })

/** Null when the statement is stored; it has its own page. */
function afterAnswer(chosen: Chosen, answer: ImportAnswer): Chosen | null {
  switch (answer.kind) {
    case 'imported':
      return null
    case 'preview':
      return { ...chosen, trouble: null, preview: answer.preview }
    case 'columns':
      return { ...chosen, trouble: null, preview: null, columns: answer }
    case 'broken': {
      const { head, draft } = answer
      const remembered = head !== null && draft !== null ? { head, draft, why: null } : chosen.columns
      const columns = head === null ? null : remembered
      return { ...chosen, trouble: notImported(chosen.file, ...answer.faults), preview: null, columns }
    }
  }
}

function useImport() {
  const router = useRouter()
  const isHere = useIsHere()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [working, setWorking] = useState(false)
  const send = async (sent: Chosen, mapping: ColumnMapping | null, seal: string | null) => {
    setWorking(true)
    const answer = await importFile(sent.file, { mapping, seal, reason: sent.reason, replaces: sent.replaces })
    // After an import, the page opens the statement, so its buttons stay disabled until then.
    if (!answer.ok || answer.value.imported.kind !== 'imported') setWorking(false)
    if (!answer.ok) {
      const title = `It is not known whether ${visibleText(sent.file.name)} was imported`
      const isUnknown = seal !== null && answer.cause === 'unanswered'
      const faults = [aboutFile(isUnknown ? NO_ANSWER_TO_IMPORT : answer.why)]
      return setChosen({ ...sent, trouble: isUnknown ? { title, faults } : notImported(sent.file, ...faults) })
    }
    const { imported } = answer.value
    const next = afterAnswer(sent, imported)
    if (next !== null) setChosen(next)
    if (imported.kind === 'imported' && isHere()) {
      router.push(`/deposits/statements/${imported.id}?next=1${imported.already ? '&again=1' : ''}`)
    }
  }
  const choose = async (file: File, replaces: string | null = null) => {
    const nothing = { trouble: null, columns: null, preview: null, reason: '' }
    const next: Chosen = { id: (chosen?.id ?? 0) + 1, file, replaces, ...nothing }
    try {
      if (file.size > FILE_MAX_BYTES) {
        const beginning = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer())
        const what = notAStatement(beginning) ?? 'The file is larger than 5 MB. Split it.'
        return setChosen({ ...next, trouble: notImported(file, aboutFile(what)) })
      }
      const copy = new File([await file.arrayBuffer()], file.name, { type: file.type })
      await send({ ...next, file: copy }, null, null)
    } catch {
      setChosen({ ...next, trouble: notImported(file, aboutFile(UNREADABLE)) })
    }
  }
  const chooseAgain = async ({ id, fileName }: KeptFile) => {
    setWorking(true)
    const kept = await readFileAgain(id)
    if (kept.ok) return await choose(new File([kept.value.bytes], fileName), id)
    setWorking(false)
    const file = new File([], fileName)
    const trouble = { title: `${visibleText(fileName)} cannot be mapped again`, faults: [aboutFile(kept.why)] }
    setChosen({ id: 1, file, replaces: null, trouble, columns: null, preview: null, reason: '' })
  }
  const changeColumns = ({ preview }: Chosen): (() => void) | null => {
    if (preview?.mapping == null || preview.head === null) return null
    const columns = { head: preview.head, draft: preview.mapping, why: null }
    return () => setChosen((now) => (now === null ? null : { ...now, trouble: null, preview: null, columns }))
  }
  return { chosen, working, choose, chooseAgain, send, changeColumns }
}

/** `again`: a statement whose columns are to be mapped again. */
export function ImportFile({ again }: { again: KeptFile | null }) {
  const { chosen, working, choose, chooseAgain, send, changeColumns } = useImport()
  const readAgain = useEffectEvent(() => (again === null ? undefined : void chooseAgain(again)))
  const againId = again?.id
  useEffect(() => {
    if (againId !== undefined) readAgain()
  }, [againId])
  const { trouble = null, preview = null, columns = null } = chosen ?? {}
  return (
    <Panel title="Import statement">
      <ChooseFile
        isFirst={chosen === null}
        isOpen={preview !== null || columns !== null}
        working={working}
        onChoose={(file) => void choose(file)}
      />
      {trouble === null ? null : <FileTrouble {...trouble} />}
      <Suspense>
        {chosen === null || preview === null ? null : (
          <CheckImport
            key={preview.seal}
            fileName={chosen.file.name}
            preview={preview}
            remarks={listed(preview.summary.remarks)}
            warnings={listed(preview.summary.warnings)}
            reason={chosen.reason}
            importing={working}
            onChangeColumns={changeColumns(chosen)}
            onImport={(reason) =>
              working ? undefined : void send({ ...chosen, reason }, preview.mapping, preview.seal)
            }
          />
        )}
        {chosen === null || columns === null || preview !== null ? null : (
          <MapColumns
            key={chosen.id}
            fileName={chosen.file.name}
            {...columns}
            reading={working}
            onMap={(mapping) => (working ? undefined : void send(chosen, mapping, null))}
          />
        )}
      </Suspense>
    </Panel>
  )
}

interface ChooseFileProps {
  isFirst: boolean
  /** Whether a file is being mapped or previewed below. */
  isOpen: boolean
  working: boolean
  onChoose: (file: File) => void
}

function ChooseFile({ isFirst, isOpen, working, onChoose }: ChooseFileProps) {
  const hydrated = useHydrated()
  const [over, setOver] = useState(false)
  const id = useId()
  const words = isOpen ? 'Choose another file' : 'Choose a statement'
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined && !working) onChoose(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keyboard.
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'm-3.5 grid justify-items-center gap-2 rounded-md border border-dashed px-3.5 text-center',
        isOpen ? 'py-3' : 'py-8',
        over ? 'border-primary bg-muted' : 'border-input',
      )}
    >
      <label
        htmlFor={id}
        className={cn(
          buttonVariants({ variant: isFirst ? 'default' : 'outline', size: isOpen ? 'default' : 'lg' }),
          'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
        )}
      >
        {working ? <Loader aria-hidden className="animate-spin" /> : <FileUp aria-hidden />}
        {working ? 'Reading the file' : words}
        <input
          id={id}
          type="file"
          className="sr-only"
          disabled={!hydrated}
          // Disabling the focused field would lose the focus.
          onClick={(event) => (working ? event.preventDefault() : undefined)}
          accept=".csv,.txt,.xml,.sta,.mt940,.940,.xlsx,.ofx,.qfx,.qif,.zip"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file !== undefined) onChoose(file)
          }}
        />
      </label>
      <p className="text-secondary-foreground text-sm">or drop it here</p>
      {isOpen ? null : (
        <p className="max-w-prose text-muted-foreground text-xs">
          camt.053, MT940, CSV, Excel, OFX or QIF, also as ZIP, up to 5 MB and 10,000 lines. You check it before
          importing. Importing confirms nothing.
        </p>
      )}
    </div>
  )
}

function FileTrouble({ title, faults }: Trouble) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for each trouble.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus()
  }, [faults])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="flex gap-3 border-t bg-attention-wash px-3.5 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <div className="min-w-0">
        <p className="break-words font-semibold">{title}</p>
        <FaultList faults={faults} />
      </div>
    </div>
  )
}

const listed = (faults: readonly FileFault[]) => (faults.length === 0 ? null : <FaultList faults={faults} />)

const FaultList = ({ faults }: { faults: readonly FileFault[] }) => (
  <ul className="mt-1 grid gap-0.5 text-sm">
    {faults.map(({ place, what }) => (
      <li key={`${place} ${what}`} className="break-words">
        {place === null ? '' : <span className="figures font-[550]">Line {formatCount(place)}: </span>}
        {visibleText(what)}
      </li>
    ))}
  </ul>
)
