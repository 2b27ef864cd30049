import { useReconciling } from '#components/command/use-reconciling.ts'
import { Button } from '#components/ui/button.tsx'
import { useServerSecond } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { Outgoing } from './outgoing.ts'
import { Bubble } from './thread-message.tsx'

interface OutgoingMessageProps {
  entry: Outgoing
  onOutcome: (command: CommandView) => void
  /** Puts the text of an unsent message back into the composer. */
  onBack: () => void
}

export function OutgoingMessage({ entry, onOutcome, onBack }: OutgoingMessageProps) {
  const { state, body } = entry
  const nextReconcileAt = useReconciling(state.step === 'outcome' ? state.command : null, onOutcome)
  const second = useServerSecond()
  const notSent = whyNotSent(state)
  const inSeconds =
    nextReconcileAt === null || second === null
      ? ''
      : ` Next look in ${Math.max(0, Math.ceil(nextReconcileAt / 1000 - second))} s.`
  return (
    <article aria-live="polite" className="grid justify-items-end gap-1">
      <header className="text-xs">
        <strong className="font-semibold">You</strong> <span className="text-muted-foreground">{wordOf(state)}</span>
      </header>
      <Bubble of="Arbitrator">{visibleText(body)}</Bubble>
      {notSent === null ? (
        <p className="text-unknown text-xs">{adviceOf(state, inSeconds)}</p>
      ) : (
        <p className="flex flex-wrap items-center justify-end gap-2 text-danger text-xs">
          <span className="min-w-0 break-words">{notSent}</span>
          <Button variant="outline" onClick={onBack}>
            Write it again
          </Button>
        </p>
      )}
    </article>
  )
}

/** Null unless the message is known to have failed. */
function whyNotSent(state: Outgoing['state']): string | null {
  if (state.step === 'not-sent') return state.why
  if (state.step !== 'outcome') return null
  const { outcome } = state.command
  if (outcome.class !== 'refused' && outcome.class !== 'cancelled' && outcome.class !== 'no-effect') return null
  return `${outcome.title}.`.replace(/\.\.$/, '.')
}

function wordOf(state: Outgoing['state']): string {
  if (state.step === 'outcome' && state.command.outcome.class === 'no-effect') return '· it does not show'
  if (whyNotSent(state) !== null) return '· not sent'
  if (state.step === 'silent') return '· not known yet'
  if (state.step !== 'outcome') return '· sending'
  switch (state.command.outcome.class) {
    case 'done':
      return '· sent'
    case 'sending':
      return '· sending'
    case 'accepted':
      return '· not confirmed yet'
    default:
      return '· not known yet'
  }
}

function adviceOf(state: Outgoing['state'], inSeconds: string): string | null {
  if (state.step === 'silent') {
    return `${problemWords(state.problem).title.replace(/\.$/, '')}. It is asked again; nothing is sent twice.`
  }
  if (state.step !== 'outcome') return null
  const { outcome, settledByHand } = state.command
  if (outcome.class !== 'unknown' && outcome.class !== 'accepted') return null
  if (settledByHand) {
    return 'Nobody could read whether it arrived. Look at the thread, then settle it on its page under Activity.'
  }
  return outcome.class === 'accepted'
    ? `${outcome.shows}${inSeconds}`
    : `${outcome.checking} ${outcome.advice}${inSeconds}`
}
