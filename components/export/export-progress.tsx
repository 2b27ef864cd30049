import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { PausedButton } from '#components/service/retry-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'
import { Ban, Check, Download, FileText, X } from '#components/ui/icons.tsx'
import { Progress } from '#components/ui/progress.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { EvidenceFiles } from '#lib/evidence/evidence-page.ts'
import { pauseSeconds } from '#lib/service/problem-words.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { type ExportState, saveFile } from './receive-export.ts'

export interface RunningExport {
  /** Null before the first export and after dismissal. */
  readonly state: ExportState | null
  start(): void
  cancel(): void
  dismiss(): void
}

export function ExportProgress({ running, state }: { running: RunningExport; state: ExportState }) {
  if (state.step === 'running') return <Running state={state} onCancel={running.cancel} />
  return (
    <div role="status" className="border-b">
      <ExportResult state={state} onDismiss={running.dismiss} onAgain={running.start} />
    </div>
  )
}

function Running({ state, onCancel }: { state: Extract<ExportState, { step: 'running' }>; onCancel: () => void }) {
  const { read, total } = state
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-3.5 py-2 text-sm">
      <Progress aria-label="Export" className="min-w-32 flex-1" value={total === null ? null : read} max={total ?? 1} />
      <p role="status" className="figures text-secondary-foreground">
        {total === null ? 'Reading' : `${formatCount(read)} of ${counted(total, 'row')}`}
      </p>
      <Button variant="outline" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

interface ExportResultProps {
  state: Exclude<ExportState, { step: 'running' }>
  onDismiss: () => void
  onAgain: () => void
}

function ExportResult({ state, onDismiss, onAgain }: ExportResultProps) {
  switch (state.step) {
    case 'saved':
      return (
        <Line meaning="good" icon={<Check aria-hidden />} onDismiss={onDismiss}>
          <strong className="font-semibold">{state.fileName}</strong> has {whatOf(state)}.
          {state.unreadable === 0
            ? ''
            : ` ${counted(state.unreadable, 'row')} could not be read and ${state.unreadable === 1 ? 'is' : 'are'} marked in the file.`}
        </Line>
      )
    case 'cancelled':
      return (
        <Line meaning="neutral" icon={<Ban aria-hidden />} onDismiss={onDismiss}>
          Export cancelled after {counted(state.rows, 'row')}. No file was made.
        </Line>
      )
    case 'failed':
      return (
        <div>
          <Line meaning="danger" icon={<X aria-hidden />} onDismiss={onDismiss}>
            Export failed after {counted(state.rows, 'row')}. No file was made.
          </Line>
          <ProblemPanel
            problem={state.problem}
            retry={
              <PausedButton seconds={pauseSeconds(state.problem)} onClick={onAgain}>
                Export again
              </PausedButton>
            }
          />
        </div>
      )
  }
}

function whatOf({ rows, read, filtered, total, cut }: Extract<ExportState, { step: 'saved' }>): string {
  const first = cut ? `, the first of ${formatCount(total)} or more: the maximum per file` : ''
  if (!filtered) return counted(rows, 'row') + first
  return `${counted(rows, 'row')} matching the filter, of ${formatCount(read)} read${first}`
}

interface LineProps {
  meaning: 'good' | 'neutral' | 'danger'
  icon: ReactNode
  onDismiss: () => void
  children: ReactNode
}

const meanings = { good: 'text-good', neutral: 'text-secondary-foreground', danger: 'text-danger' } as const

const Line = ({ meaning, icon, onDismiss, children }: LineProps) => (
  <div className="flex items-center gap-2.5 px-3.5 py-2 text-sm">
    <span className={cn('[&_svg]:size-4', meanings[meaning])}>{icon}</span>
    <p className="min-w-0 flex-1 break-words">{children}</p>
    <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={onDismiss}>
      <X aria-hidden />
    </Button>
  </div>
)

const CONFIRMED = 'Saved. The witness has confirmed it.'
const UNCONFIRMED = 'Saved. No witness has confirmed it. Anyone with the database and the keys could have rewritten it.'

const savedWords = ({ confirmed }: EvidenceFiles): string => (confirmed ? CONFIRMED : UNCONFIRMED)

/** Of a double click, or of a key that is held. */
const SAME_CLICK_MS = 1_000

export function ExportEvidence({ address, atOnce = false }: { readonly address: string; readonly atOnce?: boolean }) {
  const [exporting, setExporting] = useState(false)
  const [saved, setSaved] = useState<EvidenceFiles | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const run = async () => {
    if (exporting) return
    setExporting(true)
    setSaved(null)
    setProblem(null)
    const answer = await askConsole(address)
    setExporting(false)
    if (answer?.status !== 200) return setProblem(problemIn(answer))
    const files = answer.body as EvidenceFiles
    saveFile(files.file.name, [files.file.text])
    setSaved(files)
  }
  const savedPageAt = useRef(Number.NEGATIVE_INFINITY)
  const savePage = ({ page }: EvidenceFiles, atMs: number) => {
    if (atMs - savedPageAt.current > SAME_CLICK_MS) saveFile(page.name, [page.text])
    savedPageAt.current = atMs
  }
  const begin = useEffectEvent(run)
  const button = useRef<HTMLButtonElement>(null)
  const hasBegun = useRef(false)
  useEffect(() => {
    if (!atOnce || hasBegun.current) return
    hasBegun.current = true
    // In place of the button that was pressed.
    button.current?.focus()
    void begin()
  }, [atOnce])
  return (
    <div className="grid justify-items-start gap-2">
      <Button ref={button} variant="outline" aria-disabled={exporting} onClick={() => void run()}>
        <Download aria-hidden />
        {exporting ? 'Exporting' : 'Export evidence'}
      </Button>
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {exporting ? 'With a witness, this can take half a minute.' : saved && savedWords(saved)}
      </p>
      {saved === null ? null : (
        <Button variant="outline" onClick={({ timeStamp }) => savePage(saved, timeStamp)}>
          <FileText aria-hidden />
          Printable page
        </Button>
      )}
      <div role="alert" className="empty:hidden">
        {problem === null ? null : (
          <Card>
            <ProblemPanel problem={problem} />
          </Card>
        )}
      </div>
    </div>
  )
}
