'use client'

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Options, SelectField } from '#components/form/select-field.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { Panel, TextLink } from '#components/frame/panel.tsx'
import { asJson, fetchConsole, jsonLines, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { Label } from '#components/ui/label.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import { UserReference } from '#components/values/reference.tsx'
import { ListTime, Timestamp } from '#components/values/timestamp.tsx'
import type { Tally } from '#lib/commands/policy/rehearsal.ts'
import type { RehearsalFrame, RehearsalView } from '#lib/commands/policy/rehearsal-for.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'

/** As JSON, within a request. */
const BYTES_MAX = 60_000
const TOO_LARGE = 'This is larger than 60 kB. Use npm run policy:rehearse.'

type State =
  | { readonly step: 'idle' | 'stopped' }
  | { readonly step: 'reading'; readonly judged: number }
  | { readonly step: 'faults'; readonly faults: readonly string[] }
  | { readonly step: 'problem'; readonly problem: Problem }
  | { readonly step: 'done'; readonly rehearsal: RehearsalView }

type Frame = RehearsalFrame | { readonly faults: readonly string[] }

function stateAfter(frame: Frame): State {
  if ('faults' in frame) return { step: 'faults', faults: frame.faults }
  if ('problem' in frame) return { step: 'problem', problem: frame.problem }
  return 'rehearsal' in frame ? { step: 'done', ...frame } : { step: 'reading', ...frame }
}

async function rehearse(
  rehearsed: { readonly text: string; readonly days: number },
  signal: AbortSignal,
  onState: (state: State) => void,
): Promise<void> {
  let last: State = { step: 'reading', judged: 0 }
  const show = (state: State) => {
    last = state
    onState(state)
  }
  show(last)
  try {
    const response = await fetchConsole('/api/policy/rehearsal', { method: 'POST', signal, ...asJson(rehearsed) })
    if (!response.ok || response.body === null) {
      return show({ step: 'problem', problem: problemIn(await readAnswer(response)) })
    }
    for await (const frame of jsonLines<Frame>(response.body)) show(stateAfter(frame))
  } catch {
    // The answer was interrupted, or there was none.
  }
  if (signal.aborted) show({ step: 'stopped' })
  else if (last.step === 'reading') show({ step: 'problem', problem: problemIn(null) })
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return 'Choose a file, or paste a policy.'
  return new TextEncoder().encode(JSON.stringify(text)).length > BYTES_MAX ? TOO_LARGE : null
}

/** The file's text stays, so that it can be corrected. */
export function RehearsePolicy() {
  const [state, setState] = useState<State>({ step: 'idle' })
  const [isOutdated, setIsOutdated] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const asking = useRef<AbortController | null>(null)
  const isEdited = useRef(false)
  useEffect(() => () => asking.current?.abort(), [])
  useEffect(() => guardUnload({ holds: () => isEdited.current }), [])
  const refuse = (fault: string) => {
    setState({ step: 'faults', faults: [fault] })
    box.current?.focus()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state.step === 'reading') return
    const form = event.currentTarget
    const text = fieldText(form, 'policy')
    const fault = faultOf(text)
    if (fault !== null) return refuse(fault)
    const controller = new AbortController()
    asking.current = controller
    setIsOutdated(false)
    await rehearse({ text, days: Number(fieldText(form, 'days')) }, controller.signal, (next) => {
      setState(next)
      // A result takes the focus itself. Otherwise the button that had it may be gone.
      if (next.step !== 'reading' && next.step !== 'done') box.current?.focus()
    })
  }
  const choose = async (file: File) => {
    if (file.size > BYTES_MAX) return refuse(`${visibleText(file.name)}: ${TOO_LARGE}`)
    const text = await file.text().catch(() => null)
    if (text === null) return refuse('The file cannot be read. Choose it again.')
    asking.current?.abort()
    if (box.current !== null) box.current.value = text
    isEdited.current = false
    setState({ step: 'idle' })
  }
  return (
    <div className="grid gap-4">
      <form onSubmit={(event) => void submit(event)}>
        <Panel title="Policy file">
          <div className="grid gap-3 px-3.5 py-3">
            <ChooseFile onChoose={(file) => void choose(file)} />
            <TextAreaField
              box={box}
              label="Text of the policy"
              name="policy"
              rows={12}
              spellCheck={false}
              onText={() => {
                isEdited.current = true
                setIsOutdated(true)
              }}
              className="[&_textarea]:mono"
              fault={state.step === 'faults' ? faultsWords(state.faults) : null}
              help="JSON, as in POLICY_FILE. It is not stored."
            />
            {state.step === 'faults' && state.faults.length > 1 ? <Faults faults={state.faults} /> : null}
            <SelectField
              label="Changes sent in the last"
              name="days"
              initial="90"
              className="max-w-48"
              help="Limits also count the day before."
            >
              <Options choices={['7', '30', '90', '365'].map((days) => [days, `${days} days`])} />
            </SelectField>
            <div className="flex flex-wrap items-center gap-2">
              <SubmitButton aria-disabled={state.step === 'reading'}>
                {state.step === 'reading' ? 'Rehearsing' : 'Rehearse this policy'}
              </SubmitButton>
              {state.step === 'reading' ? (
                <Button variant="ghost" onClick={() => asking.current?.abort()}>
                  Stop
                </Button>
              ) : null}
              <p role="status" className="text-secondary-foreground text-sm">
                {state.step === 'done' && isOutdated
                  ? 'These figures are of the text before your edit.'
                  : statusWords(state)}
              </p>
            </div>
          </div>
          {state.step === 'problem' ? (
            <ProblemPanel
              problem={state.problem}
              className="border-t"
              retry={
                <Button type="submit" variant="outline">
                  Try again
                </Button>
              }
            />
          ) : null}
        </Panel>
      </form>
      {state.step === 'done' ? <RehearsalResult rehearsal={state.rehearsal} /> : null}
    </div>
  )
}

function statusWords(state: State): string {
  if (state.step === 'stopped') return 'Stopped. Nothing was changed.'
  return state.step === 'reading' ? `${counted(state.judged, 'change')} read` : ''
}

const sentenceOf = (fault: string): string => (fault.startsWith('is ') ? `The text ${fault}.` : fault)

const faultsWords = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? sentenceOf(first) : `This is no valid policy: ${more.length + 1} faults.`

const Faults = ({ faults }: { faults: readonly string[] }) => (
  <ul className="mono grid gap-0.5 text-danger text-xs">
    {faults.map((fault, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two faults may read the same, and none moves.
      <li key={at} className="break-words">
        {visibleText(fault)}
      </li>
    ))}
  </ul>
)

function ChooseFile({ onChoose }: { onChoose: (file: File) => void }) {
  const id = useId()
  const hydrated = useHydrated()
  return (
    <div className="grid gap-1">
      <Label htmlFor={id}>File</Label>
      <input
        id={id}
        type="file"
        disabled={!hydrated}
        accept=".json,application/json"
        className="min-h-8 max-w-full text-sm"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file can be chosen again after it was corrected.
          currentTarget.value = ''
          if (file !== undefined) onChoose(file)
        }}
      />
    </div>
  )
}

const HEADS = ['Sent', 'Over a limit', 'Need approval', 'Need a passkey', 'Nobody could approve']

const figuresOf = ({ sent, denied, approvals, passkeys, nobody }: Tally) => [sent, denied, approvals, passkeys, nobody]

function RehearsalResult({ rehearsal }: { rehearsal: RehearsalView }) {
  const { since, until, sent, met, notGenuine, kinds, people, morePeople, unapprovable, moreUnapprovable } = rehearsal
  const heading = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each result.
  useEffect(() => {
    heading.current?.focus()
  }, [rehearsal])
  return (
    <>
      <div className="grid gap-1 text-sm">
        <p ref={heading} tabIndex={-1} className="font-semibold outline-none">
          {counted(sent, 'change was', 'changes were')} sent. The policy concerns {formatCount(met)} of them.
        </p>
        <p className="max-w-prose text-secondary-foreground">
          From <Timestamp value={since} /> to <Timestamp value={until} />. A change over a limit counts as not sent;
          approvals and passkeys count as given. People are judged by their scopes and passkeys of today.
        </p>
        {notGenuine === 0 ? null : (
          <p className="text-attention">
            Events that are not genuine are left out: {formatCount(notGenuine)}. Check the journal.
          </p>
        )}
      </div>
      <Figures
        title="By kind"
        head="Kind"
        empty="No change of a kind that the policy names was sent."
        rows={kinds.map(({ label, ...tally }) => ({ name: label, tally }))}
      />
      <Figures
        title="By person"
        head="Person"
        empty="Nobody sent a change that the policy concerns."
        more={morePeople === 0 ? null : `${counted(morePeople, 'more person', 'more people')}, not listed.`}
        rows={people.map(({ name, userId, hasPasskey, ...tally }) => ({
          name: (
            <span className="grid">
              <bdi>{visibleText(name)}</bdi>
              {userId === null ? null : <UserReference id={userId} />}
              {tally.passkeys > 0 && !hasPasskey ? (
                <span className="text-attention text-xs">has no passkey</span>
              ) : null}
            </span>
          ),
          tally,
        }))}
      />
      <Panel title="Nobody could have approved">
        {unapprovable.length + moreUnapprovable === 0 ? (
          <p className="px-3.5 py-3 text-sm">Every change had enough people who could approve it.</p>
        ) : null}
        <ul className="divide-y text-sm">
          {unapprovable.map(({ id, label, actorName, at, why }) => (
            <li key={id} className="grid gap-0.5 px-3.5 py-2">
              <span>
                <TextLink href={`/activity/${id}`}>{label}</TextLink>, <bdi>{visibleText(actorName)}</bdi>,{' '}
                <ListTime value={at} />
              </span>
              <span className="text-secondary-foreground">{why}</span>
            </li>
          ))}
        </ul>
        {moreUnapprovable === 0 ? null : (
          <p className={footClass}>{formatCount(moreUnapprovable)} more, older or not visible to you.</p>
        )}
      </Panel>
    </>
  )
}

const footClass = 'border-t px-3.5 py-2 text-secondary-foreground text-sm'

interface FiguresProps {
  title: string
  head: string
  empty: string
  more?: string | null
  rows: readonly { readonly name: ReactNode; readonly tally: Tally }[]
}

function Figures({ title, head, empty, more = null, rows }: FiguresProps) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <p className="px-3.5 py-3 text-sm">{empty}</p>
      ) : (
        <PlainTable
          label={title}
          columns={[
            { title: head, cell: 'break-words py-1.5 align-top' },
            ...HEADS.map((figure) => ({
              title: figure,
              head: 'text-right',
              cell: 'figures py-1.5 text-right align-top',
            })),
          ]}
          rows={rows.map(({ name, tally }) => [name, ...figuresOf(tally).map(formatCount)])}
          className="relative overflow-x-auto"
        />
      )}
      {more === null ? null : <p className={footClass}>{more}</p>}
    </Panel>
  )
}
