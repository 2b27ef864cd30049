import type { LineView } from '#lib/statements/statement-view.ts'
import { isHandled } from '#lib/statements/statement-view.ts'

/** Marks elements that can receive focus as the next step: `line-4` is the controls of line 4. */
export const NEXT_STEP = 'data-next-step'

export const findStep = (step: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[${NEXT_STEP}="${step}"]:not(:disabled)`)

/** Also of a disabled element. */
export const isFocusLost = (element: Element | null): boolean =>
  element === null || element === document.body || element.matches(':disabled')

/** Lines that need a person's work: those after line `after` first, then the rest. */
function waiting(lines: readonly LineView[], after: number): LineView[] {
  const waits = lines.filter(({ status }) => !isHandled(status) && status !== 'open' && status !== 'ready')
  return [...waits.filter(({ number }) => number > after), ...waits.filter(({ number }) => number <= after)]
}

/** Moves focus to the next waiting line, or to a list with waiting lines, or to the closing summary. */
export function focusNext(lines: readonly LineView[], after: number | null): void {
  const confirm = findStep('confirm')
  const next = waiting(lines, after ?? 0).map(({ number }) => findStep(`line-${number}`))
  const rest = [...next, findStep('list'), confirm, findStep('closing'), findStep('lines')]
  const accept = findStep('accept')
  const step = (after === null ? [accept, confirm, ...rest] : rest).find((one) => one !== null)
  step?.focus()
}
