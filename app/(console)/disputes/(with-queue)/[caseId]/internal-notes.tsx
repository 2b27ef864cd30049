import { type FormEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Mentions, Snippets } from '#components/disputes/snippets.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { UnsentNote, useUnsentText } from '#components/frame/unsent-text.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { AtSign, StickyNote } from '#components/ui/icons.tsx'
import { SubmitHint, submitText } from '#components/ui/kbd.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { mentionedIn, partsOf } from '#lib/disputes/workspace/mention.ts'
import {
  type CaseNote,
  type CaseWorkspace,
  type Colleague,
  caseNoteFault,
  closedWords,
} from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted } from '#lib/values/words.ts'
import { useGoTo } from './panes.tsx'
import { useCaseWorkspace } from './use-case-workspace.ts'
import { useMarkNotesSeen } from './use-unseen.ts'

/** Looks unlike the thread, so that a note is not taken for a message. Another case needs another `key`. */
export function InternalNotes({ caseId, kept }: { caseId: string; kept: KeptText }) {
  const { workspace, problem, refresh } = useCaseWorkspace(caseId)
  const heading = useId()
  /** Refused because the operator is, or may be, a party of the case. */
  const forbidden = problem?.status === 403
  return (
    <section
      aria-labelledby={heading}
      className="min-w-0 rounded-lg border border-attention/45 border-dashed bg-attention-wash"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-attention/25 border-b px-3.5 py-2">
        <StickyNote aria-hidden className="size-4 shrink-0 text-attention" />
        <h2 id={heading}>Internal notes</h2>
        <p className="w-full text-secondary-foreground text-xs">
          Staff only. The service and the parties never see them.
        </p>
      </header>
      {problem === null || forbidden ? null : <ProblemPanel problem={problem} onRetry={refresh} />}
      {problem !== null && forbidden ? <p className="px-3.5 py-2.5 text-sm">{problemWords(problem).title}</p> : null}
      {workspace === null ? null : <NoteList caseId={caseId} {...workspace} />}
      {workspace === null && problem === null ? (
        <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">Reading the notes</p>
      ) : null}
      {forbidden ? null : (
        <NoteForm
          caseId={caseId}
          kept={kept}
          people={workspace?.people ?? null}
          blocked={blockedWords(workspace)}
          onAdded={refresh}
        />
      )}
    </section>
  )
}

/** Actors whom the text mentions. `chosen`: from the list, to tell people of one name apart. */
export function mentionsIn(
  text: string,
  people: readonly Colleague[] | null,
  chosen: ReadonlySet<string>,
): { readonly mentions: readonly string[]; readonly fault: string | null } {
  if (people === null) {
    const isSure = !/(?:^|[\s(])@\S/.test(text)
    return { mentions: [], fault: isSure ? null : 'Your colleagues are still being read. Try again in a moment.' }
  }
  const named = [...Map.groupBy(mentionedIn(text, people), ({ name }) => name)].map(([name, all]) => ({
    name,
    meant: all.length === 1 ? all : all.filter(({ actor }) => chosen.has(actor)),
  }))
  const unclear = named.find(({ meant }) => meant.length === 0)
  return {
    mentions: named.flatMap(({ meant }) => meant.map(({ actor }) => actor)),
    fault:
      unclear === undefined
        ? null
        : `Several colleagues are named ${visibleText(unclear.name)}. Type @ and choose one.`,
  }
}

interface NoteFormProps {
  caseId: string
  kept: KeptText
  people: readonly Colleague[] | null
  blocked: string | null
  onAdded: () => void
}

/** Notes cannot be removed. Unsent text survives a reload and a failed request. */
function NoteForm({ caseId, kept, people, blocked, onAdded }: NoteFormProps) {
  const unsent = useUnsentText(kept)
  const sent = useRef('')
  const box = useRef<HTMLTextAreaElement>(null)
  // After the page was left, no effect runs.
  const added = ({ outcome }: CommandView) => {
    onAdded()
    if (outcome.class === 'done' && box.current === null && unsent.current() === sent.current) unsent.replace('')
  }
  const command = useCommand(null, added, loadCommandOutcome)
  const chosen = useRef(new Set<string>())
  const [fault, setFault] = useState<string | null>(null)
  const { state } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command.id : null
  const empty = useEffectEvent(() => {
    unsent.forget()
    chosen.current.clear()
    if (box.current === null) return
    box.current.value = ''
    const { activeElement } = document
    if (activeElement === document.body || box.current.form?.contains(activeElement)) box.current.focus()
  })
  useEffect(() => {
    if (done !== null) empty()
  }, [done])
  const sending = state.step === 'checking' || state.step === 'unanswered'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = fieldText(event.currentTarget, 'note')
    const { mentions, fault: unclear } = mentionsIn(text, people, chosen.current)
    const wrong = caseNoteFault(text) ?? unclear
    setFault(wrong)
    if (wrong !== null || sending || blocked !== null) return
    sent.current = unsent.current()
    command.prepare('case.note', { caseId, text, mentions })
  }
  return (
    <form
      onSubmit={submit}
      onBlur={unsent.flush}
      className="grid gap-1 border-attention/25 border-t px-3.5 pt-3 pb-3.5"
    >
      <TextAreaField
        box={box}
        label="New internal note"
        shortcut="N"
        name="note"
        dir="auto"
        initial={unsent.initial}
        readOnly={sending || blocked !== null}
        onText={unsent.keep}
        onKeyDown={submitText}
        fault={fault ?? command.faults.text ?? command.faults.mentions ?? null}
        help={blocked ?? 'Saved permanently with your name. @\u00a0mentions a colleague.'}
      />
      <Snippets box={box} />
      <Mentions box={box} people={people ?? NOBODY} onChoose={({ actor }) => chosen.current.add(actor)} />
      <UnsentNote unsent={unsent} />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton variant="outline" disabled={blocked !== null} aria-disabled={sending}>
          {sending ? 'Adding' : 'Add note'}
          <SubmitHint />
        </SubmitButton>
        <span role="status" className="text-secondary-foreground text-xs">
          {done === null ? null : 'Note added'}
        </span>
      </div>
      {done === null ? <OutcomeOnDemand command={command} /> : null}
      <CommandDialogs command={command} />
    </form>
  )
}

function blockedWords(workspace: CaseWorkspace | null): string | null {
  if (workspace === null) return null
  return workspace.mayWork ? closedWords(workspace) : 'It needs the scope core:disputes:resolve.'
}

const NOBODY: readonly Colleague[] = []

/** Leads to a note that the reader has not seen: it mentions them, or they watch the case. */
export function UnseenNotes({ caseId }: { caseId: string }) {
  const { workspace } = useCaseWorkspace(caseId)
  const goTo = useGoTo()
  const mention = workspace?.notes.find(({ isForMe }) => isForMe)
  const count = workspace?.watch?.notes ?? 0
  const isShown = mention !== undefined || count > 0
  const show = () => goTo({ pane: 'facts', fields: [`[${MENTION}]`, '[data-note]:last-child'] })
  return (
    <div
      role="status"
      className="flex items-center gap-2 border-b px-4 py-1 text-secondary-foreground text-xs empty:hidden"
    >
      {isShown ? (
        <>
          <StickyNote aria-hidden className="size-4 shrink-0 text-attention" />
          <span className="min-w-0 break-words">
            {mention === undefined ? (
              newNotesWords(count)
            ) : (
              <>
                {visibleText(mention.authorName)} mentioned you in a note <Timestamp value={mention.at} as="past" />.
              </>
            )}
          </span>
          <Button variant="outline" size="sm" className="ml-auto shrink-0" onClick={show}>
            {mention === undefined ? 'Show notes' : 'Show the note'}
          </Button>
        </>
      ) : null}
    </div>
  )
}

const newNotesWords = (count: number): string => `${counted(count, 'new note')}.`

const MENTION = 'data-mention'

interface NoteListProps extends Pick<CaseWorkspace, 'notes' | 'earlierNotes' | 'me'> {
  caseId: string
}

/** The `log` role makes screen readers announce new notes. */
function NoteList({ caseId, notes, earlierNotes, me }: NoteListProps) {
  const box = useRef<HTMLDivElement>(null)
  useMarkNotesSeen(caseId, box, notes)
  useScrolledToNew(box, notes.length)
  return (
    <div ref={box} role="log" aria-label="Internal notes" className="relative max-h-80 overflow-y-auto">
      {earlierNotes === 0 ? null : (
        <p className="px-3.5 pt-2.5 text-secondary-foreground text-xs">
          The latest {notes.length}. {counted(earlierNotes, 'earlier note is', 'earlier notes are')} in the journal.
        </p>
      )}
      {notes.length === 0 ? <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">No notes yet.</p> : null}
      <ol className="divide-y divide-attention/25">
        {notes.map((note) => (
          <Note key={note.id} note={note} me={me} />
        ))}
      </ol>
    </div>
  )
}

/** Opens at the first unseen mention, otherwise at the end, and stays at the end. */
function useScrolledToNew(box: React.RefObject<HTMLElement | null>, count: number): void {
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const list = box.current
    if (list === null || count === 0) return
    if (isAtEnd.current) {
      const mention = list.querySelector<HTMLElement>(`[${MENTION}]`)
      list.scrollTop = mention === null ? list.scrollHeight : mention.offsetTop
    }
    const look = () => {
      isAtEnd.current = list.scrollTop + list.clientHeight >= list.scrollHeight - 8
    }
    list.addEventListener('scroll', look, { passive: true })
    return () => list.removeEventListener('scroll', look)
  }, [box, count])
}

function Note({ note: { id, authorName, text, at, mentions, isForMe }, me }: { note: CaseNote; me: string }) {
  // Stays marked for the rest of the visit.
  const [wasForMe] = useState(isForMe)
  const isMarked = isForMe || wasForMe
  const names = mentions.map(({ name }) => name)
  const mine = mentions.find(({ actor }) => actor === me)?.name
  return (
    <li
      tabIndex={-1}
      className="px-3.5 py-2.5 outline-offset-[-2px]"
      data-note={id}
      {...(isForMe ? { [MENTION]: id } : {})}
    >
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <strong className="min-w-0 break-words font-[550] text-foreground">{visibleText(authorName)}</strong>
        <span className="text-secondary-foreground">
          noted <Timestamp value={at} as="past" />
        </span>
        {isMarked ? (
          <span className="inline-flex items-center gap-1 font-[550] text-attention">
            <AtSign aria-hidden className="size-3.5" />
            Mentioned you
          </span>
        ) : null}
      </p>
      <p dir="auto" className="mt-0.5 whitespace-pre-wrap break-words text-sm">
        {partsOf(text, names).map((part) =>
          part.name === null ? (
            visibleText(part.text)
          ) : (
            <strong
              key={part.at}
              className={cn('rounded-sm bg-card px-0.5 font-[550]', part.name === mine && 'text-attention')}
            >
              {visibleText(part.text)}
            </strong>
          ),
        )}
      </p>
      <span data-note-end={id} className="block h-px" />
    </li>
  )
}
