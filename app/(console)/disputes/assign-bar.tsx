import { useEffect, useRef, useState } from 'react'
import { QuietLink } from '#components/frame/panel.tsx'
import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { Ban, Check, CircleHelp, type Icon, UserMinus, UserPlus, X } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { WithTimes } from '#components/values/timestamp.tsx'
import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { ASSIGN_MAX, type CaseAssigned, type Colleague, type NewAssignee } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { loadOf, NO_COLLEAGUES, ReassignDialog } from './(with-queue)/[caseId]/reassign-dialog.tsx'
import type { PickedCases } from './picked-cases.tsx'

interface AssignBarProps {
  cases: PickedCases
  rows: readonly QueueRow[]
  onAssigned: () => Promise<void>
}

interface AssignmentReport {
  /** The end of a sentence: `assigned to you`. */
  readonly as: string
  readonly ended: readonly CaseAssigned[]
}

/** The focused control is about to be removed. */
const focusOnRows = () => document.querySelector<HTMLElement>('[data-pick]')?.focus()

const casesWords = (count: number): string => `${count} ${count === 1 ? 'case' : 'cases'}`

/** Cases that could not be assigned stay selected. */
export function AssignBar({ cases: { picked, pick, all }, rows, onAssigned }: AssignBarProps) {
  const [busy, setBusy] = useState(false)
  const [report, setReport] = useState<AssignmentReport | null>(null)
  const [people, setPeople] = useState<readonly Colleague[] | 'unread' | null>(null)
  const note = useRef('')
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (report !== null) outcome.current?.focus()
  }, [report])
  const assign = async (to: NewAssignee, as: string) => {
    if (busy) return
    setBusy(true)
    setReport(null)
    const ended = await assignCases([...picked], to)
    await onAssigned()
    setBusy(false)
    setPeople(null)
    setReport({ as, ended })
    const done = ended.filter(({ end }) => end === 'done')
    pick(
      done.map(({ caseId }) => caseId),
      false,
    )
    if (done.length > 0) note.current = ''
  }
  const choose = async () => {
    setBusy(true)
    setReport(null)
    setPeople((await readColleagues()) ?? 'unread')
    setBusy(false)
  }
  const clear = () => {
    pick(all, false)
    focusOnRows()
  }
  const dismiss = () => {
    setReport(null)
    focusOnRows()
  }
  usePageKey('a', () => void (picked.size > 0 && assign('me', 'assigned to you')))
  if (picked.size === 0 && report === null && !busy) return null
  const mine = rows.some(({ id, claim }) => picked.has(id) && claim !== null && claim !== 'hidden' && claim.mine)
  return (
    <section data-below aria-label="Selected cases" className="max-h-[45dvh] overflow-y-auto border-t bg-muted text-sm">
      {report === null ? null : <Outcome report={report} box={outcome} onDismiss={dismiss} />}
      {picked.size === 0 ? null : (
        <div className="flex flex-wrap items-center gap-2 px-3.5 py-2">
          <p role="status" className="figures mr-1 font-[550]">
            {busy ? 'Working on' : null} {picked.size} {busy ? 'cases' : 'selected'}
          </p>
          <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => void assign('me', 'assigned to you')}>
            <UserPlus aria-hidden />
            Assign to me
            <ShortcutHint of="A" />
          </Button>
          <Button variant="outline" size="sm" aria-disabled={busy} onClick={() => void (busy || choose())}>
            Assign to…
          </Button>
          <Button
            variant="outline"
            size="sm"
            aria-disabled={busy || !mine}
            title={mine ? undefined : 'No selected case is assigned to you.'}
            onClick={() => void (mine && assign('none', 'unassigned'))}
          >
            <UserMinus aria-hidden />
            Unassign
          </Button>
          <Button variant="ghost" size="sm" aria-disabled={busy} onClick={() => busy || clear()}>
            Clear
          </Button>
          {people === 'unread' ? (
            <p role="alert" className="text-attention">
              Your colleagues could not be loaded. Nothing was assigned.
            </p>
          ) : null}
        </div>
      )}
      {people === null || people === 'unread' ? null : (
        <ReassignDialog
          act="Assign"
          title={`Assign ${casesWords(picked.size)}`}
          description="The new assignee sees them within seconds. Cases assigned to others stay with them."
          people={people}
          busy={busy}
          faults={{}}
          note={note.current}
          onNote={(typed) => {
            note.current = typed
          }}
          onReassign={(person, added) => void assign({ person, note: added }, `assigned to ${nameOf(people, person)}`)}
          onClose={() => setPeople(null)}
        />
      )}
    </section>
  )
}

const nameOf = (people: readonly Colleague[], actor: string): string =>
  visibleText(people.find((person) => person.actor === actor)?.name ?? '')

interface OutcomeProps {
  report: AssignmentReport
  box: React.RefObject<HTMLDivElement | null>
  onDismiss: () => void
}

function Outcome({ report: { as, ended }, box, onDismiss }: OutcomeProps) {
  const of = (end: CaseAssigned['end']) => ended.filter((one) => one.end === end)
  const done = of('done').length
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className="flex items-start gap-2 border-b bg-card px-3.5 py-2 outline-none"
    >
      <div className="grid min-w-0 flex-1 gap-1 py-1.5">
        {done === 0 ? null : (
          <p className="flex items-center gap-1.5">
            <Check aria-hidden className="size-4 shrink-0 text-good" />
            {casesWords(done)} {as}.
          </p>
        )}
        <Failed icon={Ban} ink="text-attention" words="not done" cases={of('not-done')} />
        <Failed icon={CircleHelp} ink="text-unknown" words="not known yet" cases={of('not-known')} />
      </div>
      <Button size="icon" variant="ghost" aria-label="Dismiss" onClick={onDismiss}>
        <X aria-hidden />
      </Button>
    </div>
  )
}

interface FailedProps {
  icon: Icon
  ink: string
  words: string
  cases: readonly CaseAssigned[]
}

function Failed({ icon: Icon, ink, words, cases }: FailedProps) {
  if (cases.length === 0) return null
  return (
    <>
      <p className="flex items-center gap-1.5">
        <Icon aria-hidden className={`size-4 shrink-0 ${ink}`} />
        {casesWords(cases.length)} {words}:
      </p>
      <ul className="grid gap-0.5 pl-5.5">
        {cases.map(({ caseId, why }) => (
          <li key={caseId} className="break-words">
            <QuietLink href={`/disputes/${encodeURIComponent(caseId)}`} className="mono">
              {shortId(caseId)}
            </QuietLink>{' '}
            <WithTimes text={why} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Reads the load when it is opened. */
export function PeopleLoad({ onChosen }: { onChosen: () => void }) {
  const [people, setPeople] = useState<readonly Colleague[] | 'unread' | null>(null)
  useEffect(() => {
    void readColleagues().then((read) => setPeople(read ?? 'unread'))
  }, [])
  if (people === null) return <p role="status">Reading</p>
  if (people === 'unread') return <p role="alert">Your colleagues could not be loaded.</p>
  if (people.length === 0) return <p>{NO_COLLEAGUES}</p>
  return (
    <ul aria-label="Open cases per person">
      {people.map((person) => (
        <li key={person.actor} className="flex min-h-8 flex-wrap items-center gap-x-3">
          <QuietLink
            href={`/disputes?assignee=${encodeURIComponent(person.actor)}`}
            onClick={onChosen}
            className="min-w-0 break-words py-1"
          >
            {visibleText(person.name)}
          </QuietLink>
          <span className="figures ml-auto text-secondary-foreground text-xs">{loadOf(person)}</span>
        </li>
      ))}
    </ul>
  )
}

const PATH = '/api/disputes/assignments'
const NO_ANSWER = 'No answer came. It is not known whether this was done. Check the case.'

/** Null when the console gave no usable answer. */
async function readColleagues(): Promise<readonly Colleague[] | null> {
  const answer = await askConsole(PATH)
  return answer?.status === 200 ? (answer.body as { people: readonly Colleague[] }).people : null
}

/** Sends requests of at most `ASSIGN_MAX` cases and returns a result per case. */
async function assignCases(caseIds: readonly string[], to: NewAssignee): Promise<readonly CaseAssigned[]> {
  const ended: CaseAssigned[] = []
  for (let from = 0; from < caseIds.length; from += ASSIGN_MAX) {
    ended.push(...(await assignSome(caseIds.slice(from, from + ASSIGN_MAX), to)))
  }
  return ended
}

async function assignSome(caseIds: readonly string[], to: NewAssignee): Promise<readonly CaseAssigned[]> {
  const answer = await askConsole(PATH, { method: 'POST', ...asJson({ caseIds, to }) })
  if (answer?.status === 200) return (answer.body as { cases: readonly CaseAssigned[] }).cases
  const end = answer === null ? 'not-known' : 'not-done'
  const why = answer === null ? NO_ANSWER : `${problemWords(problemIn(answer)).title}.`
  return caseIds.map((caseId) => ({ caseId, end, why }))
}
