import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import type { LineView, StatementWork } from '#lib/statements/statement-view.ts'
import { findStep, focusNext, isLost } from './next-step.ts'

interface Wanted {
  /** Null for the first step on the statement. */
  readonly after: number | null
  /** The lines before the change: focus moves once the page shows different lines. */
  readonly shown: readonly LineView[] | null
  /** Move focus even if another element has it. */
  readonly always: boolean
}

/**
 * Moves focus to the next step on arrival, after an action on a line, and when work begins or ends. Call the returned
 * function with the number of the changed line. `lines` must be a new array for each render of the server.
 */
export function useNextStep(
  lines: readonly LineView[],
  work: StatementWork['work'],
  arrived: boolean,
): (after: number) => void {
  const wanted = useRef<Wanted | null>(
    arrived ? { after: null, shown: work === null ? null : lines, always: true } : null,
  )
  const before = useRef<StatementWork['work']>(arrived ? null : work)
  const latest = useRef(lines)
  const look = useEffectEvent(() => {
    latest.current = lines
    const began = before.current === null && work !== null
    before.current = work
    if (began && (wanted.current !== null || isLost(document.activeElement))) {
      wanted.current ??= { after: null, shown: lines, always: false }
      findStep('work')?.focus()
    }
    const want = wanted.current
    if (work !== null || want === null || want.shown === lines) return
    wanted.current = null
    if (want.always || isLost(document.activeElement)) focusNext(lines, want.after)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked whenever the page shows something else.
  useEffect(() => look(), [lines, work])
  return useCallback((after: number) => {
    wanted.current = { after, shown: latest.current, always: true }
  }, [])
}
