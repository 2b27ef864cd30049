import { useEffect, useRef, useState } from 'react'
import { asJson, fetchConsole, jsonLines, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { announceSessionOver } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { type Found, type LookUpFrame, type SourceName, sources } from '#lib/look-up/thing.ts'
import { consoleUnreachable } from '#lib/service/console-unreachable.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { cleanReference, lookUpFault } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

const PAUSE_MS = 150
/** Typed digits may become a card number that is read out. */
const DIGITS_PAUSE_MS = 2_000
const DIGITS = /(?:[^\p{L}\p{N}]{0,3}\p{Nd}){8}$/u
const TYPED_MAX_CHARS = 7
/** Then the dialog names the sources that have not answered. */
const LATE_AFTER_MS = 1_500

/** Null for an empty text. A changed text aborts the earlier request. */
export function useLookUp(typed: string): { readonly state: LookUpState; readonly late: boolean } | null {
  const text = cleanReference(typed)
  const [state, setState] = useState<LookUpState | null>(null)
  const [late, setLate] = useState(false)
  const before = useRef('')
  useEffect(() => {
    const isTyped = Math.abs(text.length - before.current.length) <= TYPED_MAX_CHARS
    before.current = text
    if (text === '') return
    const pauseMs = isTyped && DIGITS.test(text) && lookUpFault(text) === null ? DIGITS_PAUSE_MS : PAUSE_MS
    const leaving = new AbortController()
    const show = (next: LookUpState) => {
      if (!leaving.signal.aborted) setState(next)
    }
    setLate(false)
    const timers = [
      setTimeout(() => void lookUp(text, leaving.signal, show), pauseMs),
      setTimeout(() => setLate(true), pauseMs + LATE_AFTER_MS),
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
  if (fault !== null) return tell({ ...state, searched: [], fault, ms: 0 })
  const since = performance.now()
  const elapsed = () => Math.round(performance.now() - since)
  try {
    const response = await fetchConsole('/api/look-up', { method: 'POST', signal, ...asJson({ text }) })
    if (!response.ok || response.body === null) {
      const { title } = problemWords(problemIn(await readAnswer(response)))
      return tell({ ...state, searched: [], fault: `${title}.`, ms: elapsed() })
    }
    for await (const frame of jsonLines<LookUpFrame>(response.body)) {
      if (frame.kind === 'failed' && frame.problem.kind === 'session-over') announceSessionOver()
      tell(withFrame(state, frame, elapsed()))
    }
  } catch {
    // The answer was interrupted, or there was none.
  }
  if (state.ms === null)
    tell({ ...state, fault: `${consoleUnreachable.title}. Some sources were not searched.`, ms: elapsed() })
}

export interface LookUpState {
  readonly text: string
  /** Null until the console has listed its sources. */
  readonly searched: readonly SourceName[] | null
  readonly found: Readonly<Partial<Record<SourceName, readonly Found[]>>>
  readonly failed: Readonly<Partial<Record<SourceName, Problem>>>
  /** Why the look-up did not start or failed as a whole. */
  readonly fault: string | null
  /** Duration; null until the end. */
  readonly ms: number | null
}

export const lookingFor = (text: string): LookUpState => ({
  text,
  searched: null,
  found: {},
  failed: {},
  fault: null,
  ms: null,
})

export function withFrame(state: LookUpState, frame: LookUpFrame, elapsedMs: number): LookUpState {
  switch (frame.kind) {
    case 'searched':
      return { ...state, searched: frame.sources }
    case 'found':
      return { ...state, found: { ...state.found, [frame.source]: frame.found } }
    case 'failed':
      return { ...state, failed: { ...state.failed, [frame.source]: frame.problem } }
    case 'end':
      return { ...state, ms: elapsedMs }
  }
}

const openOf = ({ searched, found, failed }: LookUpState): readonly SourceName[] =>
  (searched ?? []).filter((source) => found[source] === undefined && failed[source] === undefined)

/** `4 of 5 look-ups in 120 ms` */
export function progressWords(state: LookUpState): string {
  const { searched, failed, ms } = state
  if (searched === null) return 'Looking up'
  const answered = searched.length - openOf(state).length
  if (ms === null) return `${answered} of ${searched.length} look-ups`
  const done = answered - Object.keys(failed).length
  return `${done === searched.length ? '' : `${done} of `}${searched.length} look-ups in ${formatCount(ms)} ms`
}

/** Lists failed and unanswered sources, so that a gap never looks like “nothing found”. */
export function gapWords(state: LookUpState, late: boolean): readonly string[] {
  const { searched, failed, fault, ms } = state
  const failures = (Object.entries(failed) as [SourceName, Problem][]).map(
    ([source, problem]) => `${sources[source]} could not be searched: ${problemWords(problem).title}.`,
  )
  const open = late && ms === null ? openOf(state) : []
  const waiting = open.map((source) => `${sources[source]}: no answer yet.`)
  const silent = late && ms === null && searched === null && fault === null ? ['The console has not answered yet.'] : []
  return [...(fault === null ? [] : [fault]), ...silent, ...failures, ...waiting]
}

const PARTS_WORDS =
  'Partial text was searched in the latest 2,000 changes of each kind, 2,000 statements and the lines of 50 statements.'

export function nothingWords({ searched, failed, fault, ms }: LookUpState, isListed: boolean): string | null {
  if (isListed || ms === null || searched === null || fault !== null || Object.keys(failed).length > 0) return null
  if (searched.length === 0) return 'Enter at least three characters.'
  const parts = searched.includes('changes') ? ` ${PARTS_WORDS}` : ''
  return `Not found, or not visible to you: ${searched.map((source) => sources[source]).join(', ')}.${parts}`
}
