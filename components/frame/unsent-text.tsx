import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '#components/ui/button.tsx'
import { problemWords } from '#lib/service/problem-words.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { type Keeping, keeperFor, onKeeping, type TextKeeper, type TextState } from './text-keeper.ts'

/** `beforeunload` runs before the next page is requested; some browsers fire only `pagehide`. */
const SAVE_ON = ['visibilitychange', 'online', 'beforeunload', 'pagehide'] as const

export interface UnsentText extends TextState, Omit<TextKeeper, 'attach' | 'state' | 'takeLater'> {
  /** Changes when a later text arrives; the field must then show it. */
  readonly initial: string
}

/** Saves unsent text for that operator; it survives a reload and a new sign-in. Another place needs another `key`. */
export function useUnsentText(stored: KeptText): UnsentText {
  const [keeper] = useState(() => keeperFor(stored))
  const [initial, setInitial] = useState(keeper.current)
  const state = useSyncExternalStore(onKeeping, keeper.state, keeper.state)
  useEffect(() => {
    const left = new AbortController()
    for (const event of SAVE_ON) window.addEventListener(event, keeper.flush, { signal: left.signal })
    const end = keeper.attach(setInitial)
    return () => {
      left.abort()
      end()
    }
  }, [keeper])
  return { ...keeper, ...state, initial }
}

export const UnsentNote = ({ unsent: { current, keeping, late, lookAgain, swap } }: { unsent: UnsentText }) => (
  <div role="status" className="grid gap-1 text-attention text-xs empty:hidden">
    {keeping.step === 'kept' || current() === '' ? null : <p>{keepingWords(keeping)}</p>}
    {late === 'none' ? null : <p>{lateWords[late]}</p>}
    {late === 'missing' ? (
      <Button variant="outline" className="justify-self-start" onClick={lookAgain}>
        Check again
      </Button>
    ) : null}
    {late === 'other' ? (
      <Button variant="outline" className="justify-self-start" onClick={swap}>
        Show the other text
      </Button>
    ) : null}
  </div>
)

function keepingWords({ step, problem }: Exclude<Keeping, { step: 'kept' }>): string {
  const title = problemWords(problem).title.replace(/\.$/, '')
  if (step === 'refused') return `Not saved: ${title}. Copy your text before you leave.`
  if (problem.kind === 'session-over') return 'Not saved yet: you are signed out. It is saved once you sign in again.'
  const advice = problem.kind === 'console-unreachable' ? ' Check the connection.' : ''
  return `Not saved yet: ${title}.${advice} It stays on this page until it is saved.`
}

const lateWords = {
  looking: 'Your latest text has not arrived yet. This is the earlier text. Typing now does not replace it.',
  missing: 'Your latest text did not arrive. This is the earlier text.',
  other: 'You typed another text here, perhaps in another tab. It is not shown.',
} as const
