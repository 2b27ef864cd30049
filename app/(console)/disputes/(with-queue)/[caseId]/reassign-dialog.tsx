import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { sendAtOnce } from '#components/command/command-client.ts'
import { fieldText, TextAreaField, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Modal } from '#components/frame/modal.tsx'
import { QuietLink } from '#components/frame/panel.tsx'
import { askConsole } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { CircleAlert } from '#components/ui/icons.tsx'
import { SubmitHint } from '#components/ui/kbd.tsx'
import { unreadWords } from '#lib/disputes/unread/thread-state.ts'
import {
  awayWords,
  type Colleague,
  caseNoteFault,
  type People,
  type StaffMember,
} from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

interface ReassignDialogProps {
  act: 'Assign' | 'Reassign'
  title: string
  description: string
  people: readonly Colleague[]
  /** Choices beside the people, without a note. */
  others?: readonly StaffMember[]
  busy: boolean
  faults: Readonly<Record<string, string>>
  /** Kept by the caller, so that a failed reassignment does not lose it. */
  note: string
  onNote: (note: string) => void
  /** `to` is an actor, or one of the other choices. */
  onReassign: (to: string, note: string) => void
  onClose: () => void
}

const NO_COLLEAGUES = 'No other colleague signed in or worked on a case in the last 14 days.'

function loadOf(person: StaffMember | Colleague): string {
  if (!('cases' in person)) return ''
  const { cases, overTarget, unread } = person
  const parts = [`${formatCount(cases)} open`]
  if (overTarget > 0) parts.push(`${formatCount(overTarget)} over target`)
  if (unread === null) parts.push('unread not known')
  else if (unread > 0) parts.push(unreadWords(unread))
  return parts.join(', ')
}

const withIdsOfNamesakes = <Of extends StaffMember>(people: readonly Of[]): Of[] =>
  people.map((person) =>
    people.some(({ actor, name }) => actor !== person.actor && name === person.name)
      ? { ...person, name: `${person.name} ${shortId(person.actor)}` }
      : person,
  )

const NO_OTHERS: readonly StaffMember[] = []

/** In place of the operator's own actor. */
export const ME = 'me'

export function ReassignDialog({ act, people, busy, faults, onReassign, onClose, ...props }: ReassignDialogProps) {
  const fault = faults.to ?? faults.caseId
  const { others = NO_OTHERS } = props
  const choices = withIdsOfNamesakes([...people, ...others])
  const [chosen, setChosen] = useState('')
  const [noteFault, setNoteFault] = useState<string | null>(null)
  const [isLeft, setIsLeft] = useState(false)
  const choice = choices.find(({ actor }) => actor === chosen)
  const name = choice?.name
  const away = choice?.awayUntil ?? null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const note = fieldText(event.currentTarget, 'handover')
    const wrong = note.trim() === '' ? null : caseNoteFault(note)
    setNoteFault(wrong)
    if (busy || choice === undefined || wrong !== null) return
    setIsLeft(false)
    onReassign(choice.actor, note)
  }
  const leave = busy ? () => setIsLeft(true) : onClose
  if (busy && isLeft) return null
  return (
    <Modal title={props.title} description={props.description} onClose={leave}>
      <form ref={guardForm} onSubmit={submit} className="flex min-h-0 flex-col">
        <fieldset className="min-h-24 overflow-y-auto px-4.5 py-3">
          <legend className="sr-only">New assignee</legend>
          {people.length === 0 ? <p className="text-secondary-foreground text-sm">{NO_COLLEAGUES}</p> : null}
          {choices.map((person) => (
            <label
              key={person.actor}
              className="flex min-h-8 cursor-pointer flex-wrap items-center gap-x-2 rounded px-1.5 hover:bg-muted"
            >
              <input
                type="radio"
                name="to"
                value={person.actor}
                checked={person.actor === chosen}
                onChange={() => setChosen(person.actor)}
                className="accent-primary"
              />
              <span className="min-w-0 break-words">{visibleText(person.name)}</span>
              <AwayMark until={person.awayUntil} />
              <span className="figures ml-auto shrink-0 text-secondary-foreground text-xs">{loadOf(person)}</span>
            </label>
          ))}
        </fieldset>
        {people.length === 0 || others.some(({ actor }) => actor === chosen) ? null : (
          <div className="border-t px-4.5 py-3">
            <TextAreaField
              label="Internal note (optional)"
              name="handover"
              dir="auto"
              initial={props.note}
              onText={props.onNote}
              fault={noteFault ?? faults.note ?? null}
              help="Saved permanently, visible to staff only."
            />
          </div>
        )}
        {fault === undefined ? null : (
          <p role="alert" className="flex gap-1.5 px-4.5 pb-3 text-danger text-sm">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {fault}
          </p>
        )}
        <p role="status" className="px-4.5 pb-3 text-attention text-sm empty:hidden">
          {away === null || name === undefined
            ? null
            : `${chosen === ME ? 'You are' : `${visibleText(name)} is`} ${awayWords(away)}.`}
        </p>
        <DialogFooter>
          <Button type="submit" aria-disabled={busy || choice === undefined} className="max-w-full">
            <span className="truncate">
              {name === undefined
                ? 'Choose an assignee'
                : `${act} to ${visibleText(name)}${away === null ? '' : ' anyway'}`}
            </span>
            <SubmitHint />
          </Button>
          <Button variant="ghost" onClick={leave}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}

const AwayMark = ({ until }: { until: string | null }) =>
  until === null ? null : <span className="text-attention text-xs">{awayWords(until)}</span>

export const ASSIGNMENTS = '/api/disputes/assignments'

export async function readPeople(): Promise<People | null> {
  const answer = await askConsole(ASSIGNMENTS)
  return answer?.status === 200 ? (answer.body as People) : null
}

export function PeopleLoad({ onChosen }: { onChosen: () => void }) {
  const [read, setRead] = useState<People | 'unread' | null>(null)
  const load = async () => setRead((await readPeople()) ?? 'unread')
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])
  if (read === null) return <p role="status">Reading</p>
  if (read === 'unread') return <p role="alert">Your colleagues could not be loaded.</p>
  const { people, me, setsAbsences } = read
  const row = (person: StaffMember, name: string, filter: string) => (
    <li key={person.actor} className="flex min-h-8 flex-wrap items-center gap-x-3 py-1">
      <QuietLink href={`/disputes?${filter}`} onClick={onChosen} className="min-w-0 flex-1 break-words py-1">
        {name}
      </QuietLink>
      <span className="figures order-1 flex w-full flex-wrap gap-x-3 text-secondary-foreground text-xs empty:hidden">
        {loadOf(person)}
        <AwayMark until={person.awayUntil} />
      </span>
      {person === me || setsAbsences ? <Absence person={person} owner={me.actor} onSet={() => void load()} /> : null}
    </li>
  )
  return (
    <>
      <ul aria-label="Open cases per person">
        {row(me, 'You', 'claim=mine')}
        {withIdsOfNamesakes(people).map((person) =>
          row(person, visibleText(person.name), `assignee=${encodeURIComponent(person.actor)}`),
        )}
      </ul>
      {people.length === 0 ? <p>{NO_COLLEAGUES}</p> : null}
    </>
  )
}

interface AbsenceProps {
  person: StaffMember
  /** The operator. */
  owner: string
  onSet: () => void
}

function Absence({ person: { actor, name, awayUntil }, owner, onSet }: AbsenceProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const set = async (until: string) => {
    if (busy) return
    setBusy(true)
    const reply = await sendAtOnce({
      id: crypto.randomUUID(),
      owner,
      kind: 'assignee.away',
      params: { person: actor, until },
    })
    setBusy(false)
    const wrong = faultOf(reply)
    setFault(wrong)
    if (wrong !== null) return
    setIsOpen(false)
    opener.current?.focus()
    onSet()
  }
  return (
    <>
      <Button
        ref={opener}
        variant="ghost"
        size="sm"
        aria-expanded={isOpen}
        aria-label={`Away… ${visibleText(name)}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        Away…
      </Button>
      {isOpen ? (
        <form
          className="order-2 grid w-full gap-2 py-2"
          onSubmit={(event) => {
            event.preventDefault()
            void set(fieldText(event.currentTarget, 'until'))
          }}
        >
          <TextField
            label="Away until"
            name="until"
            initial={awayUntil ?? ''}
            fault={fault}
            help="The first day back, such as 2026-12-03. Empty: not away."
            takesFocus
          />
          <Button type="submit" variant="outline" size="sm" aria-disabled={busy} className="justify-self-start">
            Save
          </Button>
        </form>
      ) : null}
    </>
  )
}

function faultOf(reply: Awaited<ReturnType<typeof sendAtOnce>>): string | null {
  if (reply === null) return 'No answer came. It is not known whether this was saved.'
  if (reply.ok) return reply.command.outcome.class === 'done' ? null : 'This was not saved.'
  if ('fields' in reply && reply.problem === null) return Object.values(reply.fields).join(' ')
  return reply.problem === null ? 'This was not saved.' : `${problemWords(reply.problem).title}.`
}
