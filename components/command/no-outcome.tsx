import { type RefObject, useEffect, useRef, useState } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { useSessionBack } from '#components/service/session-events.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Command } from './command-state.ts'

interface NoOutcomeProps {
  command: Command
  box: RefObject<HTMLElement | null>
}

export function NoOutcome({ command: { state }, box }: NoOutcomeProps) {
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
