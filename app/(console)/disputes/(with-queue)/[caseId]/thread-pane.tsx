import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from 'react'
import { sendAtOnce } from '#components/command/command-client.ts'
import { Snippets } from '#components/disputes/snippets.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { UnsentNote, type UnsentText, useUnsentText } from '#components/frame/unsent-text.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { PausedButton } from '#components/service/retry-button.tsx'
import { SubmitButton } from '#components/ui/button.tsx'
import { SubmitHint, submitText } from '#components/ui/kbd.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import type { CaseParties } from '#lib/disputes/resolution.ts'
import { messageFault, withoutMessages } from '#lib/disputes/thread/thread.ts'
import { type CaseWorkspace, closedWords, type Person } from '#lib/disputes/workspace/workspace.ts'
import { pauseSeconds } from '#lib/service/problem-words.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { Colleagues } from './colleague.tsx'
import { messageIdOf, type Outgoing, OutgoingMessage, stateAfter } from './outgoing-message.tsx'
import { leave } from './panes.tsx'
import { ThreadLog } from './thread-log.tsx'
import type { CaseStream } from './use-case-stream.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'
import type { SeenThread } from './use-thread-news.ts'

interface ThreadPaneProps {
  caseId: string
  stream: CaseStream
  parties: CaseParties
  me: string | null
  seen: SeenThread | null
  unreadUpTo: string
  kept: KeptText
  /** Earlier messages with an unknown outcome. */
  open: readonly Outgoing[]
  missingScope: string | null
  reason: ReactNode
  limit: ReactNode
  /** Replaces the composer once the case is resolved. */
  resolved: ReactNode
}

const NO_PEOPLE: readonly Person[] = []

export function ThreadPane(props: ThreadPaneProps) {
  const { caseId, stream, parties, me, seen, kept, open, missingScope, reason, resolved } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const unsent = useUnsentBeside(open, kept)
  const [returned, setReturned] = useState(false)
  const { workspace, refresh } = useCaseWorkspace(caseId)
  /** The case had no assignee when the operator last sent a message. */
  const [wasUnassigned, setWasUnassigned] = useState(false)
  const outbox = useOutbox({
    caseId,
    owner: kept.owner,
    initial: open,
    onSent: (body) => {
      refresh()
      // Text typed after sending is a different message and must stay.
      if (box.current?.value.trim() === body) box.current.value = ''
      keep(box.current?.value ?? '')
    },
    onReturned: (body) => {
      putBack(body)
      setReturned(true)
    },
  })
  const keep = useSavedText(box, unsent, outbox.entries)
  const send = (body: string) => {
    setReturned(false)
    setWasUnassigned(workspace?.claim === null)
    // The text stays saved until the service has the message; only the field is emptied.
    unsent.flush()
    outbox.send(body)
    if (box.current !== null) box.current.value = ''
  }
  const putBack = (body: string) => {
    const typed = box.current?.value.trim() ?? ''
    const text = typed === '' ? body : `${body}\n\n${typed}`
    if (box.current !== null) box.current.value = text
    keep(text)
  }
  const writeAgain = ({ id, body }: Outgoing) => {
    outbox.drop(id)
    putBack(body)
    box.current?.focus()
  }
  const there = new Set(stream.messages.map(({ id }) => id.toLowerCase()))
  const onTheWay = outbox.entries.filter(({ state }) => {
    const id = state.step === 'outcome' ? messageIdOf(state.command) : null
    return id === null || !there.has(id.toLowerCase())
  })
  return (
    <Colleagues value={workspace?.people ?? NO_PEOPLE}>
      <ThreadLog
        caseId={caseId}
        messages={stream.messages}
        parties={parties}
        me={me}
        seen={seen}
        unreadUpTo={props.unreadUpTo}
        outgoing={onTheWay.length}
        reason={reason}
        head={<ThreadHead stream={stream} />}
      >
        {onTheWay.map((entry) => (
          <OutgoingMessage
            key={entry.id}
            entry={entry}
            onOutcome={(command) => outbox.showOutcome(entry.id, command)}
            onSendAgain={() => outbox.sendAgain(entry)}
            onBack={() => writeAgain(entry)}
          />
        ))}
      </ThreadLog>
      {stream.readOnly ? (
        <>
          {resolved}
          <KeptDraft read={unsent.current} />
        </>
      ) : (
        <Composer
          box={box}
          unsent={unsent}
          onText={keep}
          limit={props.limit}
          notice={noticeWords(returned, wasUnassigned, workspace)}
          onSend={send}
          blocked={blockedWords(missingScope, workspace)}
        />
      )}
    </Colleagues>
  )
}

function useUnsentBeside(open: readonly Outgoing[], kept: KeptText): UnsentText {
  const [shown] = useState(open)
  const unsent = useUnsentText(kept)
  return { ...unsent, initial: withoutMessages(unsent.initial, shown) }
}

/** Saves what is typed after the messages that are not known to be sent, so that a reload loses none. */
export function useSavedText(
  box: RefObject<HTMLTextAreaElement | null>,
  unsent: UnsentText,
  entries: readonly Outgoing[],
): (typed: string) => void {
  const isSent = ({ state }: Outgoing) => state.step === 'outcome' && state.command.outcome.class === 'done'
  const bodies = JSON.stringify(entries.filter((entry) => !isSent(entry)).map(({ body }) => body))
  const waiting = useRef(bodies)
  const keep = (typed: string) => {
    const texts = [...(JSON.parse(waiting.current) as readonly string[]), typed].filter((text) => text.trim() !== '')
    if (texts.length === 0) unsent.forget()
    else unsent.keep(texts.join('\n\n'))
  }
  const keepTyped = useEffectEvent(() => keep(box.current?.value ?? ''))
  useEffect(() => {
    if (bodies === waiting.current) return
    waiting.current = bodies
    keepTyped()
  }, [bodies])
  return keep
}

function ThreadHead({ stream: { unreadable, problem, resync } }: { stream: CaseStream }) {
  return (
    <>
      {unreadable === 0 ? null : (
        <p role="status" className="text-attention text-sm">
          {unreadable === 1 ? '1 message' : `${unreadable} messages`} of this thread cannot be read.
        </p>
      )}
      {problem === null ? null : (
        <ProblemPanel
          problem={problem}
          retry={
            <PausedButton seconds={pauseSeconds(problem)} onClick={resync}>
              Read again
            </PausedButton>
          }
        />
      )}
    </>
  )
}

/** A draft that can no longer be sent, because the case is resolved. The operator can still copy it. */
function KeptDraft({ read }: { read: () => string }) {
  const [text] = useState(read)
  return text.trim() === '' ? null : (
    <section aria-label="Your unsent message" className="border-t px-4 py-3 sm:px-6">
      <h3 className="mb-1 font-[550] text-sm">Your unsent message is saved</h3>
      <p className="max-h-32 overflow-y-auto whitespace-pre-wrap text-secondary-foreground text-sm [overflow-wrap:anywhere]">
        {text}
      </p>
    </section>
  )
}

interface ComposerProps {
  box: RefObject<HTMLTextAreaElement | null>
  unsent: UnsentText
  onText: (text: string) => void
  limit: ReactNode
  notice: string
  onSend: (body: string) => void
  /** Null when the operator may write. */
  blocked: string | null
}

const KEPT_WORDS = <span className="short:sr-only">Your draft is saved until you send it.</span>

const besideItsLabel =
  'short:sm:grid short:grid-cols-[auto_minmax(0,1fr)] short:gap-x-3 short:[&>*]:col-start-2 short:[&>label]:col-start-1 short:sm:[&>label]:mt-2 short:[&>[data-slot=field-description]]:mt-0 short:[&>[data-slot=field-description]]:min-h-0'

function Composer({ box, unsent, onText, limit, notice, onSend, blocked }: ComposerProps) {
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = fieldText(event.currentTarget, 'body')
    const found = messageFault(body)
    setFault(found)
    if (found !== null || blocked !== null) return
    onSend(body.trim())
    if (box.current !== null && document.activeElement === box.current) leave(box.current)
  }
  return (
    <form
      onSubmit={submit}
      className="shrink-0 short:flex short:items-end short:gap-3 border-t px-4 py-3 short:py-1.5 sm:px-6"
    >
      <div className="min-w-0 short:flex-1">
        <p className="mb-1 text-secondary-foreground text-sm empty:hidden">{limit}</p>
        <TextAreaField
          label="Message to both sides"
          name="body"
          box={box}
          grows
          shortcut="M"
          initial={unsent.initial}
          fault={fault}
          onText={(text) => {
            if (fault !== null) setFault(null)
            onText(text)
          }}
          onBlur={unsent.flush}
          onKeyDown={submitText}
          help={blocked ?? (unsent.keeping.step === 'kept' ? KEPT_WORDS : undefined)}
          className={besideItsLabel}
        />
        <Snippets box={box} />
        <p role="status" className="text-attention text-xs empty:hidden">
          {notice}
        </p>
        <UnsentNote unsent={unsent} />
      </div>
      <div className="flex shrink-0 items-center justify-end gap-3">
        <SubmitButton disabled={blocked !== null}>
          Send message
          <SubmitHint />
        </SubmitButton>
      </div>
    </form>
  )
}

function blockedWords(missingScope: string | null, workspace: CaseWorkspace | null): string | null {
  if (missingScope !== null) return `Read-only: writing needs the scope ${missingScope}.`
  return workspace === null ? null : closedWords(workspace)
}

function noticeWords(returned: boolean, wasUnassigned: boolean, workspace: CaseWorkspace | null): string {
  if (returned) return 'Not sent: your session ended. Send it again.'
  const isMine = workspace !== null && workspace.claim?.holder === workspace.me
  return wasUnassigned && isMine ? 'Assigned to you because you wrote in this case.' : ''
}

const ASK_AGAIN_MS = 2_500

type Change =
  | { readonly type: 'add'; readonly entry: Outgoing }
  | { readonly type: 'state'; readonly id: string; readonly state: Outgoing['state']; readonly atMs: number }
  | { readonly type: 'drop'; readonly id: string }

function next(entries: readonly Outgoing[], change: Change): readonly Outgoing[] {
  switch (change.type) {
    case 'add':
      return [...entries, change.entry]
    case 'state':
      return entries.map((entry) =>
        entry.id === change.id ? { ...entry, state: change.state, answeredAtMs: change.atMs } : entry,
      )
    case 'drop':
      return entries.filter(({ id }) => id !== change.id)
  }
}

interface Outbox {
  readonly entries: readonly Outgoing[]
  send(body: string): void
  /** As another message, because the first is known to have failed. */
  sendAgain(entry: Outgoing): void
  showOutcome(id: string, command: CommandView): void
  drop(id: string): void
}

interface OutboxOptions {
  readonly caseId: string
  /** The actor for whom the page was rendered. The console refuses to send in another person's name. */
  readonly owner: string
  /** Earlier messages with an unknown outcome. */
  readonly initial: readonly Outgoing[]
  /** The service has the message. */
  onSent(body: string): void
  /** The message was not sent, because the session had ended. */
  onReturned(body: string): void
}

export function useOutbox({ caseId, owner, initial, onSent, onReturned }: OutboxOptions): Outbox {
  const [entries, change] = useReducer(next, initial)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])
  const silent = entries.some(({ state }) => state.step === 'silent')
  // Only this page knows the id with which to ask for the outcome, so leaving it needs confirmation.
  useEffect(() => (silent ? guardUnload({ holds: () => true }) : undefined), [silent])

  const ask = async (id: string, body: string, again = false): Promise<void> => {
    const reply = await sendAtOnce({ id, owner, kind: 'dispute.message', params: { caseId, body } })
    if (left.current) return
    const state = stateAfter(reply, again)
    if (state.step === 'returned') {
      change({ type: 'drop', id })
      return onReturned(body)
    }
    change({ type: 'state', id, state, atMs: serverNowMs() })
    if (state.step === 'outcome' && state.command.outcome.class === 'done') onSent(body)
    if (state.step === 'silent') setTimeout(() => (left.current ? undefined : void ask(id, body, true)), ASK_AGAIN_MS)
  }

  const send = (body: string) => {
    const id = crypto.randomUUID()
    change({ type: 'add', entry: { id, body, state: { step: 'sending' }, answeredAtMs: 0 } })
    void ask(id, body)
  }
  return {
    entries,
    send,
    sendAgain: ({ id, body }) => {
      change({ type: 'drop', id })
      send(body)
    },
    showOutcome: (id, command) => {
      change({ type: 'state', id, state: { step: 'outcome', command }, atMs: serverNowMs() })
      const body = entries.find((entry) => entry.id === id)?.body
      if (command.outcome.class === 'done' && body !== undefined) onSent(body)
    },
    drop: (id) => change({ type: 'drop', id }),
  }
}
