import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Snippets } from '#components/disputes/snippets.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { UnsentNote, useUnsentText } from '#components/frame/unsent-text.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { PausedButton } from '#components/service/retry-button.tsx'
import { SubmitButton } from '#components/ui/button.tsx'
import { StickyNote } from '#components/ui/icons.tsx'
import { SubmitHint, submitText } from '#components/ui/kbd.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type CaseNote, type CaseWorkspace, caseNoteFault, closedWords } from '#lib/disputes/workspace/workspace.ts'
import { pauseSeconds, problemWords } from '#lib/service/problem-words.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'

interface InternalNotesProps {
  caseId: string
  /** Unsent text. A form for another case needs another `key`, so that text never moves between cases. */
  kept: KeptText
}

/** Its place, colour and words differ from the thread, so that staff do not mistake a note for a message. */
export function InternalNotes({ caseId, kept }: InternalNotesProps) {
  const { workspace, problem, refresh } = useCaseWorkspace(caseId)
  const heading = useId()
  /** Refused because the operator is, or may be, a party of the case. */
  const forbidden = problem?.status === 403
  const retry = (
    <PausedButton seconds={pauseSeconds(problem)} onClick={refresh}>
      Try again
    </PausedButton>
  )
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
      {problem === null || forbidden ? null : <ProblemPanel problem={problem} retry={retry} />}
      {problem !== null && forbidden ? <p className="px-3.5 py-2.5 text-sm">{problemWords(problem).title}</p> : null}
      {workspace === null ? null : <NoteList notes={workspace.notes} earlier={workspace.earlierNotes} />}
      {workspace === null && problem === null ? (
        <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">Reading the notes</p>
      ) : null}
      {forbidden ? null : <NoteForm caseId={caseId} kept={kept} blocked={blockedWords(workspace)} onAdded={refresh} />}
    </section>
  )
}

interface NoteFormProps {
  caseId: string
  kept: KeptText
  /** Null when the operator may add notes. */
  blocked: string | null
  onAdded: () => void
}

/** Notes cannot be removed. Unsent text survives a reload and a failed request. */
function NoteForm({ caseId, kept, blocked, onAdded }: NoteFormProps) {
  const unsent = useUnsentText(kept)
  const command = useCommand(null, onAdded, loadCommandOutcome)
  const box = useRef<HTMLTextAreaElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { state } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command.id : null
  const empty = useEffectEvent(() => {
    unsent.forget()
    if (box.current === null) return
    box.current.value = ''
    box.current.focus()
  })
  useEffect(() => {
    if (done !== null) empty()
  }, [done])
  const sending = state.step === 'checking' || state.step === 'unanswered'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = fieldText(event.currentTarget, 'note')
    const wrong = caseNoteFault(text)
    setFault(wrong)
    if (wrong === null && !sending && blocked === null) command.prepare('case.note', { caseId, text })
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
        fault={fault ?? command.faults.text ?? null}
        help={blocked ?? 'Saved permanently with your name.'}
      />
      <Snippets box={box} />
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

interface NoteListProps {
  notes: readonly CaseNote[]
  /** The number of earlier notes that are not in `notes`. */
  earlier: number
}

/** The `log` role makes screen readers announce new notes. */
function NoteList({ notes, earlier }: NoteListProps) {
  return (
    <div role="log" aria-label="Internal notes" className="max-h-80 overflow-y-auto">
      {earlier === 0 ? null : (
        <p className="px-3.5 pt-2.5 text-secondary-foreground text-xs">
          The latest {notes.length}. {earlier.toLocaleString('en-US')} earlier notes are in the journal.
        </p>
      )}
      {notes.length === 0 ? <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">No notes yet.</p> : null}
      <ol className="divide-y divide-attention/25">
        {notes.map(({ id, authorName, text, at }) => (
          <li key={id} className="px-3.5 py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
              <strong className="min-w-0 break-words font-[550] text-foreground">{visibleText(authorName)}</strong>
              <span className="text-secondary-foreground">
                noted <Timestamp value={at} as="past" />
              </span>
            </p>
            <p dir="auto" className="mt-0.5 whitespace-pre-wrap break-words text-sm">
              {visibleText(text)}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}
