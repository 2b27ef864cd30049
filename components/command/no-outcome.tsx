import Link from 'next/link'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { useSessionBack } from '#components/service/session-events.ts'
import { subscribe } from '#components/stream/subscribe.ts'
import { useServerSecond } from '#components/values/timestamp.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { distanceText } from '#lib/values/time.ts'
import type { Command, InFlight } from './command-state.ts'

interface NoOutcomeProps {
  command: Command
  box: RefObject<HTMLElement | null>
}

export function NoOutcome({ command: { state, inFlight }, box }: NoOutcomeProps) {
  if (state.step === 'unanswered') {
    return (
      <Panel ref={box} tabIndex={-1} className="scroll-my-3" title="Not known yet" meaning="unknown" aria-live="polite">
        <p className="px-3.5 py-3 text-secondary-foreground text-sm">
          The confirmation got no answer. It may have been sent. {problemWords(state.problem).title.replace(/\.$/, '')}.
          Checking the outcome; nothing is sent twice. Don’t do it anywhere else yet.
        </p>
      </Panel>
    )
  }
  if (state.step === 'checking' && inFlight !== null) return <SlowSend {...inFlight} />
  if (state.step !== 'problem') return null
  return (
    <Panel ref={box} tabIndex={-1} className="scroll-my-3" title="Nothing was sent" meaning="attention">
      {state.problem.kind === 'session-over' ? (
        <div className="px-3.5 py-3">
          <SignInAgain />
        </div>
      ) : (
        <ProblemPanel problem={state.problem} />
      )}
    </Panel>
  )
}

const SLOW_SECONDS = 3
const LONG_SECONDS = 10

const STAY: Readonly<Record<string, string>> = {
  'card.issue': 'Stay on this page: it shows the card number only once.',
  'totp.enrol': 'Stay on this page: it shows the key only once.',
}

/** Screen readers announce it twice, not every second. */
export function SlowSend({ id, kind, sinceMs }: InFlight) {
  const second = useServerSecond()
  const seconds = second === null ? 0 : Math.floor(second - sinceMs / 1000)
  const isLong = seconds >= LONG_SECONDS
  const isRecorded = useIsRecorded(id, isLong)
  return (
    <p className="text-secondary-foreground text-sm">
      {seconds < SLOW_SECONDS ? null : (
        <span aria-live="off" className="figures">
          Sending for {distanceText(seconds)}.{' '}
        </span>
      )}
      <span role="status">
        {seconds < SLOW_SECONDS ? null : <span className="sr-only">Still sending. </span>}
        {isLong ? (STAY[kind] ?? (isRecorded ? LEAVE : null)) : null}
      </span>
    </p>
  )
}

const LEAVE = 'You can leave this page: the outcome is saved and shown in Activity.'

/** A confirmation that has not reached the console is lost with the page. */
function useIsRecorded(id: string, isAsked: boolean): boolean {
  const [isRecorded, setIsRecorded] = useState(false)
  useEffect(() => {
    if (!isAsked) return
    return subscribe<CommandView>(
      `command ${id}`,
      (result) => setIsRecorded(result.ok && result.value.outcome.class === 'sending'),
      { atOnce: true },
    )
  }, [id, isAsked])
  return isRecorded
}

/** Focuses the panel after each answer to an act of the operator. */
export function useFocusOnAnswer({ state, answers }: Command, doneElsewhere = false): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  const focused = useRef(0)
  const focusIsElsewhere =
    state.step === 'outcome' && (state.once !== null || (doneElsewhere && state.command.outcome.class === 'done'))
  useEffect(() => {
    if (focusIsElsewhere) focused.current = answers
    if (answers === focused.current) return
    // After a closing dialog has restored the focus.
    const timer = setTimeout(() => {
      focused.current = answers
      box.current?.focus({ preventScroll: true })
      box.current?.scrollIntoView({ block: 'nearest' })
    })
    return () => clearTimeout(timer)
  }, [answers, focusIsElsewhere])
  return box
}

/** A new tab, so that typed text stays. */
export function SignInAgain() {
  const [back, setBack] = useState(false)
  useSessionBack(() => setBack(true))
  return (
    <p role="alert" className="text-sm">
      <strong className="block">{back ? 'You are signed in again' : 'Your session has ended'}</strong>
      {back ? (
        'Nothing was sent. Try again: your text is still here.'
      ) : (
        <>
          <a href="/sign-in" target="_blank" rel="noreferrer" className="text-primary underline underline-offset-4">
            Sign in again in a new tab
          </a>
          , then confirm here. Your text is still here.
        </>
      )}
    </p>
  )
}

export const EarlierChange = ({ id }: { id: string | null | undefined }) =>
  id == null ? null : (
    <p className="w-full text-sm">
      <Link href={`/activity/${id}`} prefetch={false} className="underline underline-offset-4">
        Open the earlier change
      </Link>
    </p>
  )
