import { useEffect, useState } from 'react'
import { asJson, fetchConsole, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { jsonLines } from '#components/service/json-lines.ts'
import { announceSessionOver } from '#components/service/session-events.ts'
import { type LookUpFrame, lookUpFault } from '#lib/look-up/thing.ts'
import { consoleUnreachable } from '#lib/service/console-unreachable.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { cleanReference } from '#lib/values/visible-text.ts'
import { type LookUpState, lookingFor, withFrame } from './look-up-state.ts'

const PAUSE_MS = 150
/** Then the dialog names the sources that have not answered. */
const LATE_AFTER_MS = 1_500

/** Null for an empty text. A changed text aborts the earlier request. */
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
  // Never shows results of another text.
  return state?.text === text ? { state, late } : { state: lookingFor(text), late: false }
}

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
    // The answer was interrupted, or there was none.
  }
  if (state.ms === null)
    tell({ ...state, fault: `${consoleUnreachable.title}. Not everything was asked.`, ms: elapsed() })
}
