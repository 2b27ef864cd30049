import { useState } from 'react'
import { SlowSend } from '#components/command/no-outcome.tsx'
import { useReconciling } from '#components/command/use-command.ts'
import { PausedButton } from '#components/service/retry-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { serverNowMs, useServerSecond } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { pauseSeconds, problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import type { Outgoing } from './outbox.ts'
import { Bubble } from './thread-message.tsx'

interface OutgoingMessageProps {
  entry: Outgoing
  onOutcome: (command: CommandView) => void
  onSendAgain: () => void
  /** Puts the text of an unsent message back into the composer. */
  onBack: () => void
}

export function OutgoingMessage({ entry, onOutcome, onSendAgain, onBack }: OutgoingMessageProps) {
  const { state, body, answeredAtMs } = entry
  const nextReconcileAt = useReconciling(state.step === 'outcome' ? state.command : null, onOutcome)
  const second = useServerSecond()
  const [shownAtMs] = useState(serverNowMs)
  const notSent = whyNotSent(state)
  const sinceMs = sendingSince(state, shownAtMs)
  const inSeconds =
    nextReconcileAt === null || second === null ? null : Math.max(0, Math.ceil(nextReconcileAt / 1000 - second))
  return (
    <article aria-live="polite" className="grid justify-items-end gap-1">
      <header className="text-xs">
        <strong className="font-semibold">You</strong> <span className="text-muted-foreground">{wordOf(state)}</span>
      </header>
      <Bubble of="Arbitrator">{visibleText(body)}</Bubble>
      {notSent === null ? (
        <p className="text-unknown text-xs">
          {adviceOf(state)}
          {inSeconds === null ? null : <span aria-live="off"> Next check in {inSeconds} s.</span>}
        </p>
      ) : (
        <p className="flex flex-wrap items-center justify-end gap-2 text-danger text-xs">
          <span className="min-w-0 break-words">{notSent}</span>
          <PausedButton seconds={pauseOf(state)} sinceMs={answeredAtMs} onClick={onSendAgain}>
            Send again
          </PausedButton>
          <Button variant="outline" onClick={onBack}>
            Write it again
          </Button>
        </p>
      )}
      {sinceMs === null ? null : <SlowSend id={entry.id} kind="dispute.message" sinceMs={sinceMs} />}
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

/** How long the service or the console asked to wait. */
function pauseOf(state: Outgoing['state']): number | null {
  if (state.step === 'not-sent') return pauseSeconds(state.problem)
  if (state.step !== 'outcome' || state.command.outcome.class !== 'refused') return null
  return pauseSeconds(state.command.outcome.problem)
}

function sendingSince(state: Outgoing['state'], shownAtMs: number): number | null {
  if (state.step === 'sending') return shownAtMs
  if (state.step !== 'outcome' || state.command.outcome.class !== 'sending') return null
  return state.command.sentAt === null ? null : Date.parse(state.command.sentAt)
}

function wordOf(state: Outgoing['state']): string {
  if (state.step === 'outcome' && state.command.outcome.class === 'no-effect') return '· not in the thread'
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

function adviceOf(state: Outgoing['state']): string | null {
  if (state.step === 'silent') {
    return `${problemWords(state.problem).title.replace(/\.$/, '')}. Checking again; nothing is sent twice.`
  }
  if (state.step !== 'outcome') return null
  const { outcome, settledByHand } = state.command
  if (outcome.class !== 'unknown' && outcome.class !== 'accepted') return null
  if (settledByHand) return 'Delivery could not be confirmed. Check the thread, then settle it under Activity.'
  return outcome.class === 'accepted' ? outcome.shows : `${outcome.checking} ${outcome.advice}`
}
