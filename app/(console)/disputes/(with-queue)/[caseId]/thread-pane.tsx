import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Snippets } from '#components/disputes/snippets.tsx'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { onKeeping } from '#components/frame/text-keeper.ts'
import { UnsentNote, type UnsentText, useUnsentText } from '#components/frame/unsent-text.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Button, SubmitButton } from '#components/ui/button.tsx'
import { Clock } from '#components/ui/icons.tsx'
import { SubmitHint, submitText } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import { messageFault, splitAnswerLine, withAnswerLine, withoutMessages } from '#lib/disputes/thread/thread.ts'
import { type CaseWorkspace, closedWords, laterTimeFault } from '#lib/disputes/workspace/workspace.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { counted } from '#lib/values/words.ts'
import { isDone, type Outgoing, stillOutgoing, useOutbox, withUnsettled } from './outbox.ts'
import { OutgoingMessage } from './outgoing-message.tsx'
import { leave } from './panes.tsx'
import { ThreadLog, type ThreadLogProps } from './thread-log.tsx'
import { Colleagues } from './thread-message.tsx'
import type { CaseStream } from './use-case-stream.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'

const LastLine = onDemand(() => import('./snooze-dialog.tsx').then((it) => it.LastLine))
const AnswerDialog = onDemand(
  () => import('./snooze-dialog.tsx').then((it) => it.AnswerDialog),
  ({ onClose }) => onClose,
)

interface ThreadPaneProps extends Omit<ThreadLogProps, 'messages' | 'outgoing' | 'head' | 'children'> {
  stream: CaseStream
  kept: KeptText
  open: readonly Outgoing[]
  missingScope: string | null
  limit: ReactNode
  /** Replaces the composer once the case is resolved. */
  resolved: ReactNode
}

export function ThreadPane(props: ThreadPaneProps) {
  const { stream } = props
  const shared = useCaseWorkspace(props.caseId)
  const { workspace } = shared
  const { outbox, onTheWay, writeAgain, composer } = useComposing({ ...props, ...shared })
  return (
    <Colleagues value={workspace}>
      <ThreadLog {...props} messages={stream.messages} outgoing={onTheWay.length} head={<ThreadHead stream={stream} />}>
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
          {props.resolved}
          <KeptDraft unsent={composer.unsent} sent={outbox.entries} />
        </>
      ) : (
        <Composer {...composer} limit={props.limit} blocked={blockedWords(props.missingScope, workspace)} />
      )}
    </Colleagues>
  )
}

type Composing = Pick<ThreadPaneProps, 'caseId' | 'kept' | 'open' | 'me' | 'stream'> &
  ReturnType<typeof useCaseWorkspace>

function useComposing({ caseId, kept, open, me, stream, workspace, refresh }: Composing) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [initial] = useState(() => withUnsettled(open, kept.owner, caseId))
  const unsent = useUnsentBeside(initial, kept)
  const deadline = useDeadline(unsent.until)
  const field = useFieldText(box, unsent.initial)
  const typed = () => withAnswerLine(field.read(), deadline.latest())
  const [returned, setReturned] = useState(false)
  /** The case had no assignee when the operator last sent a message. */
  const [wasUnassigned, setWasUnassigned] = useState(false)
  const outbox = useOutbox({
    caseId,
    owner: kept.owner,
    ...{ me, messages: stream.messages },
    initial,
    onSent: (body) => {
      refresh()
      // Text typed after sending is a different message and must stay.
      if (typed() === body) empty()
      keep(typed())
    },
    onSentSince: (body) => unsent.replace(withoutMessages(unsent.current(), [{ body }])),
    onReturned: (body) => {
      putBack(body)
      setReturned(true)
    },
  })
  const onTheWay = stillOutgoing(outbox.entries, stream.messages, me)
  const keep = useSavedText(typed, unsent, onTheWay)
  const empty = () => {
    field.write('')
    deadline.set(null)
  }
  const send = (body: string) => {
    setReturned(false)
    setWasUnassigned(workspace?.claim === null)
    // The text stays saved until the service has the message; only the field is emptied.
    unsent.flush()
    const answerBy = deadline.latest()
    outbox.send({ body, ...(answerBy === null ? {} : { answerBy }) })
    empty()
  }
  const putBack = (body: string) => {
    const { text, until } = splitAnswerLine(body)
    field.write([text, field.read().trim()].filter(Boolean).join('\n\n'))
    if (until !== null) deadline.set(until)
    keep(typed())
  }
  const writeAgain = ({ id, body }: Outgoing) => {
    outbox.drop(id)
    putBack(body)
    box.current?.focus()
  }
  return {
    ...{ outbox, onTheWay },
    writeAgain,
    composer: {
      ...{ box, unsent, deadline: deadline.until },
      onDeadline: (until: string | null) => {
        deadline.set(until)
        keep(typed())
      },
      onText: () => keep(typed()),
      onSend: send,
      notice: noticeWords(returned, wasUnassigned, workspace),
    },
  }
}

function useUnsentBeside(open: readonly Outgoing[], kept: KeptText): UnsentText & { readonly until: string | null } {
  const unsent = useUnsentText(kept)
  const { text, until } = splitAnswerLine(withoutMessages(unsent.initial, open))
  return { ...unsent, initial: text, until }
}

/** The field is gone once the case is resolved; its text is not. */
function useFieldText(box: RefObject<HTMLTextAreaElement | null>, initial: string) {
  const latest = useRef(initial)
  const read = (): string => {
    if (box.current !== null) latest.current = box.current.value
    return latest.current
  }
  const write = (text: string): void => {
    latest.current = text
    if (box.current !== null) box.current.value = text
  }
  return { read, write }
}

/** `latest` is current within one event. */
function useDeadline(initial: string | null) {
  const [until, setUntil] = useState(initial)
  const latest = useRef(initial)
  const set = (next: string | null) => {
    latest.current = next
    setUntil(next)
  }
  const take = useEffectEvent(set)
  // Before the field reports the text that came with it.
  useLayoutEffect(() => take(initial), [initial])
  return { until, latest: () => latest.current, set }
}

/** Saves what is typed after the messages that are not known to be sent, so that a reload loses none. */
export function useSavedText(
  read: () => string,
  unsent: UnsentText,
  entries: readonly Outgoing[],
): (typed: string) => void {
  const bodies = JSON.stringify(entries.filter((entry) => !isDone(entry)).map(({ body }) => body))
  const waiting = useRef(bodies)
  const keep = (typed: string) => {
    const texts = [...(JSON.parse(waiting.current) as readonly string[]), typed].filter((text) => text.trim() !== '')
    if (texts.length === 0) unsent.forget()
    else unsent.keep(texts.join('\n\n'))
  }
  const keepTyped = useEffectEvent(() => keep(read()))
  useEffect(() => {
    if (bodies === waiting.current) return
    waiting.current = bodies
    keepTyped()
  }, [bodies])
  return keep
}

const ThreadHead = ({ stream: { unreadable, problem, resync } }: { stream: CaseStream }) => (
  <>
    {unreadable === 0 ? null : (
      <p role="status" className="text-attention text-sm">
        {counted(unreadable, 'message')} of this thread cannot be read.
      </p>
    )}
    {problem === null ? null : <ProblemPanel problem={problem} onRetry={resync} />}
  </>
)

/** A draft that can no longer be sent, because the case is resolved. The operator can still copy it. */
function KeptDraft({ unsent, sent }: { unsent: UnsentText; sent: readonly Outgoing[] }) {
  const text = withoutMessages(useSyncExternalStore(onKeeping, unsent.current, unsent.current), sent)
  return text === '' ? null : (
    <section aria-label="Your unsent message" className="border-t px-4 py-3 sm:px-6">
      <h3 className="mb-1 font-[550] text-sm">
        Your unsent message{unsent.keeping.step === 'kept' ? ' is saved' : null}
      </h3>
      <UnsentNote unsent={{ ...unsent, late: 'none' }} />
      <p className="max-h-32 overflow-y-auto whitespace-pre-wrap text-secondary-foreground text-sm [overflow-wrap:anywhere]">
        {text}
      </p>
    </section>
  )
}

interface ComposerProps {
  box: RefObject<HTMLTextAreaElement | null>
  unsent: UnsentText
  /** ISO 8601, by which a party is asked to answer. */
  deadline: string | null
  onDeadline: (until: string | null) => void
  onText: () => void
  limit: ReactNode
  notice: string
  onSend: (body: string) => void
  blocked: string | null
}

const KEPT_WORDS = <span className="short:sr-only">Your draft is saved until you send it.</span>

/** The second click of a double click finds the field empty. */
const SAME_CLICK_MS = 1_000

const besideItsLabel =
  'short:sm:grid short:grid-cols-[auto_minmax(0,1fr)] short:gap-x-3 short:[&>*]:col-start-2 short:[&>label]:col-start-1 short:sm:[&>label]:mt-2 short:[&>[data-slot=field-description]]:mt-0 short:[&>[data-slot=field-description]]:min-h-0'

export function Composer({ box, unsent, deadline, onDeadline, onText, limit, notice, onSend, blocked }: ComposerProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [late, setLate] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const sentAt = useRef(Number.NEGATIVE_INFINITY)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = fieldText(event.currentTarget, 'body')
    if (body === '' && event.timeStamp - sentAt.current < SAME_CLICK_MS) return
    const whole = withAnswerLine(body, deadline)
    const found = messageFault(whole)
    const wrong = deadline === null ? null : laterTimeFault(deadline, serverNowMs())
    setFault(found)
    setLate(wrong)
    if (found !== null || wrong !== null || blocked !== null) return
    onSend(whole)
    sentAt.current = event.timeStamp
    if (box.current !== null && document.activeElement === box.current) leave(box.current)
  }
  return (
    <>
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
            onText={() => {
              if (fault !== null) setFault(null)
              onText()
            }}
            onBlur={unsent.flush}
            onKeyDown={submitText}
            help={blocked ?? (unsent.keeping.step === 'kept' ? KEPT_WORDS : undefined)}
            className={besideItsLabel}
          />
          <Snippets box={box} />
          {deadline === null ? null : (
            <Suspense>
              <LastLine until={deadline} fault={late} onRemove={() => onDeadline(null)} />
            </Suspense>
          )}
          <p role="status" className="text-attention text-xs empty:hidden">
            {notice}
          </p>
          <UnsentNote unsent={unsent} />
        </div>
        {/* Tab leads from the message to its button. */}
        <div className="flex shrink-0 flex-row-reverse items-center gap-3">
          <SubmitButton disabled={blocked !== null}>
            Send message
            <SubmitHint />
          </SubmitButton>
          <Button variant="ghost" disabled={blocked !== null} onClick={() => setIsAsking(true)}>
            <Clock aria-hidden />
            Answer by
          </Button>
        </div>
      </form>
      {isAsking ? (
        <Suspense>
          <AnswerDialog
            onChoose={(until) => {
              setIsAsking(false)
              setLate(null)
              onDeadline(until)
            }}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      ) : null}
    </>
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
