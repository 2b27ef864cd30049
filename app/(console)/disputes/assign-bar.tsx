import { useEffect, useRef, useState } from 'react'
import { QuietLink } from '#components/frame/panel.tsx'
import { answerInTime, asJson, askConsole, type ConsoleAnswer, problemIn } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { Ban, Check, CircleHelp, type Icon, UserMinus, UserPlus, X } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { WithTimes } from '#components/values/timestamp.tsx'
import type { QueueFilter, QueueView } from '#lib/disputes/queue/queue.ts'
import {
  ASSIGN_MAX,
  type CaseAssigned,
  type Colleague,
  type NewAssignee,
  type People,
  type Person,
} from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { ASSIGNMENTS, ME, ReassignDialog, readPeople } from './(with-queue)/[caseId]/reassign-dialog.tsx'
import { isPickable, type PickedCases } from './picked-cases.tsx'
import { readQueue } from './use-current-queue.ts'

interface AssignBarProps {
  cases: PickedCases
  view: QueueView
  /** The colleague to whom all listed cases are assigned, if the filter is for one. */
  from: Person | null
  address: string
  onAssigned: () => Promise<void>
}

interface AssignmentReport {
  /** The end of a sentence: `assigned to you`. */
  readonly as: string
  readonly requested: number
  readonly ended: readonly CaseAssigned[]
}

/** The focused control is about to be removed. */
const focusOnRows = () => document.querySelector<HTMLElement>('[data-pick]')?.focus()

const NOBODY = { actor: 'none', name: 'Nobody', awayUntil: null }
/** Ends of sentences. */
const assignedWords: Readonly<Record<string, string>> = { me: 'assigned to you', none: 'unassigned' }

function useAssigning({ cases, view, from, address, onAssigned }: AssignBarProps) {
  const { picked, pick, pickEverywhere } = cases
  /** Cases tried so far; null if nothing is under way. */
  const [busy, setBusy] = useState<number | null>(null)
  const [report, setReport] = useState<AssignmentReport | null>(null)
  const [people, setPeople] = useState<People | null>(null)
  const [fault, setFault] = useState('')
  const note = useRef('')
  const start = () => {
    setBusy(0)
    setReport(null)
    setFault('')
  }
  const assign = async (to: NewAssignee, as: string) => {
    if (busy !== null) return
    start()
    const requested = [...picked]
    const ended = await assignCases(requested, from === null ? { to } : { to, from: from.actor }, setBusy)
    await onAssigned()
    setBusy(null)
    setPeople(null)
    setReport({ as, requested: requested.length, ended })
    const over = ended.flatMap(({ caseId, end }) => (end === 'done' || end === 'changed' ? [caseId] : []))
    pick(over, false)
    if (ended.some(({ end }) => end === 'done')) note.current = ''
  }
  const read = async <Value,>(reading: Promise<Value | null>, take: (value: Value) => void, failed: string) => {
    start()
    const value = await reading
    if (value === null) setFault(failed)
    else take(value)
    setBusy(null)
  }
  const choose = () =>
    read(
      readPeople(),
      (answer) => setPeople({ ...answer, people: answer.people.filter(({ actor }) => actor !== from?.actor) }),
      'Your colleagues could not be loaded. Nothing was assigned.',
    )
  const selectAll = () =>
    read(readEverywhere(address, view.filter), pickEverywhere, 'The cases could not be read. Nothing was selected.')
  return { busy, report, setReport, people, setPeople, fault, note, assign, choose, selectAll }
}

/** Cases that could not be assigned stay selected, unless a colleague changed them first. */
export function AssignBar(props: AssignBarProps) {
  const { cases, view, from } = props
  const { picked, pick } = cases
  const { busy, report, setReport, people, setPeople, fault, note, assign, choose, selectAll } = useAssigning(props)
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (report !== null) outcome.current?.focus()
  }, [report])
  const leave = (act: () => void) => {
    act()
    focusOnRows()
  }
  usePageKey('a', () => {
    if (picked.size > 0 && busy === null) void (from === null ? assign('me', 'assigned to you') : choose())
  })
  const isBusy = busy !== null
  const hasControls = isBusy || picked.size > 0 || from !== null
  if (report === null && !hasControls) return null
  return (
    <section data-below aria-label="Selected cases" className="max-h-[45dvh] overflow-y-auto border-t bg-muted text-sm">
      {report === null ? null : (
        <Outcome report={report} box={outcome} onDismiss={() => leave(() => setReport(null))} />
      )}
      {hasControls ? (
        <div className="flex flex-wrap items-center gap-2 px-3.5 py-2">
          <p role="status" className="figures mr-1 font-[550]">
            {busy === null ? `${picked.size} selected` : busyWords(busy, picked.size)}
          </p>
          {picked.size === 0 ? null : (
            <AssignButtons
              {...{ cases, view, from, isBusy }}
              onAssign={(to) => void assign(to, assignedWords[to] ?? '')}
              onChoose={() => void choose()}
            />
          )}
          <SelectAll {...{ cases, view, from, isBusy }} onSelect={() => void selectAll()} />
          {picked.size === 0 ? null : (
            <Button
              variant="ghost"
              size="sm"
              aria-disabled={isBusy}
              onClick={() => isBusy || leave(() => pick([...picked], false))}
            >
              Clear
            </Button>
          )}
          <p role="alert" className="text-attention empty:hidden">
            {fault}
          </p>
        </div>
      ) : null}
      {people === null ? null : (
        <ReassignDialog
          {...wordsOfDialog(picked.size, from)}
          people={people.people}
          {...(from === null ? {} : { others: [{ ...people.me, actor: ME, name: 'Me' }, NOBODY] })}
          busy={isBusy}
          faults={{}}
          note={note.current}
          onNote={(typed) => {
            note.current = typed
          }}
          onReassign={(to, added) =>
            void (to === 'me' || to === 'none'
              ? assign(to, assignedWords[to] ?? '')
              : assign({ person: to, note: added }, `assigned to ${nameOf(people.people, to)}`))
          }
          onClose={() => setPeople(null)}
        />
      )}
    </section>
  )
}

const busyWords = (tried: number, of: number): string =>
  tried === 0 ? `Working on ${counted(of, 'case')}` : `${tried} of ${counted(of, 'case')} tried`

const wordsOfDialog = (count: number, from: Person | null) =>
  from === null
    ? ({
        act: 'Assign',
        title: `Assign ${counted(count, 'case')}`,
        description: 'The new assignee sees them within seconds. Cases assigned to others stay with them.',
      } as const)
    : ({
        act: 'Reassign',
        title: `Reassign ${counted(count, 'case')} of ${visibleText(from.name)}`,
        description: 'The new assignee sees them within seconds. Cases that changed in the meantime stay as they are.',
      } as const)

const nameOf = (people: readonly Colleague[], actor: string): string =>
  visibleText(people.find((person) => person.actor === actor)?.name ?? '')

interface ButtonsProps extends Pick<AssignBarProps, 'cases' | 'view' | 'from'> {
  isBusy: boolean
}

interface AssignButtonsProps extends ButtonsProps {
  onAssign: (to: 'me' | 'none') => void
  onChoose: () => void
}

function AssignButtons({ cases: { picked }, view, from, isBusy, onAssign, onChoose }: AssignButtonsProps) {
  if (from !== null) {
    return (
      <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => isBusy || onChoose()}>
        Reassign…
        <ShortcutHint of="A" />
      </Button>
    )
  }
  const here = view.rows.filter(({ id }) => picked.has(id))
  // Of cases on other pages, it is not known.
  const mine = here.length < picked.size || here.some(({ claim }) => claim !== null && claim !== 'hidden' && claim.mine)
  return (
    <>
      <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => onAssign('me')}>
        <UserPlus aria-hidden />
        Assign to me
        <ShortcutHint of="A" />
      </Button>
      <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => isBusy || onChoose()}>
        Assign to…
      </Button>
      <Button
        variant="outline"
        size="sm"
        aria-disabled={isBusy || !mine}
        title={mine ? undefined : 'No selected case is assigned to you.'}
        onClick={() => mine && onAssign('none')}
      >
        <UserMinus aria-hidden />
        Unassign
      </Button>
    </>
  )
}

const EVERYWHERE_MAX = 500

/** Once all cases of the page are selected; for the cases of one colleague, at once. */
function SelectAll({ cases: { all, picked }, view, from, isBusy, onSelect }: ButtonsProps & { onSelect: () => void }) {
  const total = view.total - view.unreadable
  const most = Math.min(total, EVERYWHERE_MAX)
  const isOffered = from === null ? total > all.length && all.every((id) => picked.has(id)) : true
  if (!isOffered || picked.size >= most) return null
  return (
    <Button variant="outline" size="sm" aria-disabled={isBusy} onClick={() => isBusy || onSelect()}>
      Select {most < total ? `the first ${most} of ${formatCount(total)}` : `all ${total}`} of this filter
    </Button>
  )
}

async function readEverywhere(address: string, filter: QueueFilter): Promise<readonly string[] | null> {
  const size = 100
  const ids = new Set<string>()
  for (let page = 1; ids.size < EVERYWHERE_MAX; page += 1) {
    const query = new URLSearchParams(address)
    query.set('size', String(size))
    query.set('page', String(page))
    const read = await readQueue(query.toString())
    if (!read.ok || JSON.stringify(read.value.filter) !== JSON.stringify(filter)) return null
    for (const { id } of read.value.rows.filter(isPickable)) ids.add(id)
    if (page * size >= read.value.total) break
  }
  return [...ids].slice(0, EVERYWHERE_MAX)
}

interface OutcomeProps {
  report: AssignmentReport
  box: React.RefObject<HTMLDivElement | null>
  onDismiss: () => void
}

function Outcome({ report: { as, requested, ended }, box, onDismiss }: OutcomeProps) {
  const of = (end: CaseAssigned['end']) => ended.filter((one) => one.end === end)
  const done = of('done').length
  const untried = requested - ended.length
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
            {done === requested ? null : `${done} of `}
            {counted(requested, 'case')} {as}.
          </p>
        )}
        <Failed icon={Ban} ink="text-attention" words="changed in the meantime" cases={of('changed')} />
        <Failed icon={Ban} ink="text-attention" words="not done" cases={of('not-done')} />
        <Failed icon={CircleHelp} ink="text-unknown" words="not known yet" cases={of('not-known')} />
        {untried === 0 ? null : <p>{counted(untried, 'case')} not tried, still selected. Assign again to continue.</p>}
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

const LISTED_MAX = 20

function Failed({ icon: Icon, ink, words, cases }: FailedProps) {
  if (cases.length === 0) return null
  return (
    <>
      <p className="flex items-center gap-1.5">
        <Icon aria-hidden className={`size-4 shrink-0 ${ink}`} />
        {counted(cases.length, 'case')} {words}:
      </p>
      <ul className="grid gap-0.5 pl-5.5">
        {cases.slice(0, LISTED_MAX).map(({ caseId, why }) => (
          <li key={caseId} className="break-words">
            <QuietLink href={`/disputes/${encodeURIComponent(caseId)}`} className="mono">
              {shortId(caseId)}
            </QuietLink>{' '}
            <WithTimes text={why} />
          </li>
        ))}
        {cases.length <= LISTED_MAX ? null : <li>and {cases.length - LISTED_MAX} more.</li>}
      </ul>
    </>
  )
}

const NO_ANSWER = 'No answer came. It is not known whether this was done. Check the case.'

/** Sends requests of at most `ASSIGN_MAX` cases, until one is refused or has no answer. */
async function assignCases(
  caseIds: readonly string[],
  assignment: { readonly to: NewAssignee; readonly from?: string },
  onTried: (count: number) => void,
): Promise<readonly CaseAssigned[]> {
  const ended: CaseAssigned[] = []
  for (let at = 0; at < caseIds.length; at += ASSIGN_MAX) {
    const some = caseIds.slice(at, at + ASSIGN_MAX)
    const body = asJson({ caseIds: some, ...assignment })
    const answer = await askConsole(ASSIGNMENTS, { method: 'POST', ...body, signal: answerInTime() })
    ended.push(...endsIn(answer, some))
    onTried(ended.length)
    if (answer?.status !== 200) break
  }
  return ended
}

function endsIn(answer: ConsoleAnswer | null, caseIds: readonly string[]): readonly CaseAssigned[] {
  if (answer?.status === 200) return (answer.body as { cases: readonly CaseAssigned[] }).cases
  const end = answer === null ? 'not-known' : 'not-done'
  const why = answer === null ? NO_ANSWER : `${problemWords(problemIn(answer)).title}.`
  return caseIds.map((caseId) => ({ caseId, end, why }))
}
