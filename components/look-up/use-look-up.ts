import { useEffect, useState } from 'react'
import { asJson, fetchConsole, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { jsonLines } from '#components/service/json-lines.ts'
import { announceSessionOver } from '#components/service/session-events.ts'
import { type LookUpFrame, lookUpFault } from '#lib/look-up/found.ts'
import { consoleUnreachable } from '#lib/service/console-unreachable.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { cleanReference } from '#lib/values/visible-text.ts'
import { type LookUpState, lookingFor, withFrame } from './look-up-state.ts'

/** So long nothing more is typed before it is looked up. */
const PAUSE_MS = 150
/** From then on it is said who has not answered. */
const LATE_AFTER_MS = 1_500

/**
 * Looks up what is typed, once a moment has passed. Null for no text. What is answered to a text that has changed meanwhile is
 * dropped with its request.
 */
export function useLookUp(typed: string): { readonly state: LookUpState; readonly late: boolean } | null {
  const text = cleanReference(typed)
  const [state, setState] = useState<LookUpState | null>(null)
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (text === '') return
    const leaving = new AbortController()
    const show = (next: LookUpState) => {
      if (!leaving.signal.aborted) setState(next)
    }
    setLate(false)
    const timers = [
      setTimeout(() => void lookUp(text, leaving.signal, show), PAUSE_MS),
      setTimeout(() => setLate(true), LATE_AFTER_MS),
    ]
    return () => {
      for (const timer of timers) clearTimeout(timer)
      leaving.abort()
    }
  }, [text])
  if (text === '') return null
  // Of another text nothing is shown.
  return state?.text === text ? { state, late } : { state: lookingFor(text), late: false }
}

/** Tells how far the look-up is with each line of the answer. */
export async function lookUp(text: string, signal: AbortSignal, onState: (state: LookUpState) => void): Promise<void> {
  let state = lookingFor(text)
  const tell = (next: LookUpState) => {
    state = next
    onState(state)
  }
  const fault = lookUpFault(text)
  if (fault !== null) return tell({ ...state, asked: [], fault, ms: 0 })
  const since = performance.now()
  const elapsed = () => Math.round(performance.now() - since)
  try {
    const response = await fetchConsole('/api/look-up', { method: 'POST', signal, ...asJson({ text }) })
    if (!response.ok || response.body === null) {
      const { title } = problemWords(problemIn(await readAnswer(response)))
      return tell({ ...state, asked: [], fault: `${title}.`, ms: elapsed() })
    }
    for await (const frame of jsonLines<LookUpFrame>(response.body)) {
      if (frame.kind === 'failed' && frame.problem.kind === 'session-over') announceSessionOver()
      tell(withFrame(state, frame, elapsed()))
    }
  } catch {
    // The answer broke off, or there was none.
  }
  if (state.ms === null)
    tell({ ...state, fault: `${consoleUnreachable.title}. Not everything was asked.`, ms: elapsed() })
}
