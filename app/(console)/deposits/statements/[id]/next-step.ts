import { isHandled } from '#lib/statements/statement-line.ts'
import type { LineView } from '#lib/statements/statement-view.ts'

/** The attribute of what may be the next step: `line-4` for the controls of a line. */
export const NEXT_STEP = 'data-next-step'

export const findStep = (step: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[${NEXT_STEP}="${step}"]:not(:disabled)`)

/** Nothing has the focus, or what cannot keep it. */
export const isLost = (element: Element | null): boolean =>
  element === null || element === document.body || element.matches(':disabled')

/** Lines that a person has to do something with, those after a line first. */
function waiting(lines: readonly LineView[], after: number): LineView[] {
  const waits = lines.filter(({ status }) => !isHandled(status) && status !== 'open' && status !== 'ready')
  return [...waits.filter(({ number }) => number > after), ...waits.filter(({ number }) => number <= after)]
}

/** The focus goes to the next line that waits, to a list in which lines wait, or to what closes the statement. */
export function focusNext(lines: readonly LineView[], after: number | null): void {
  const confirm = findStep('confirm')
  const next = waiting(lines, after ?? 0).map(({ number }) => findStep(`line-${number}`))
  const rest = [...next, findStep('list'), confirm, findStep('closing'), findStep('lines')]
  const step = (after === null ? [confirm, ...rest] : rest).find((one) => one !== null)
  step?.focus()
}
