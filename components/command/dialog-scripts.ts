export const loadCommandOutcome = () => import('./command-outcome.tsx')

export const loadConfirmDialog = () => import('./confirm-dialog.tsx')
export const loadStepUpDialog = () => import('./step-up-dialog.tsx')

/** Also loads the outcome, so that it can be shown if the connection fails after the confirmation. */
export const loadForConfirming = () => Promise.all([loadConfirmDialog(), loadCommandOutcome()])

/**
 * Waits for a dialog's code, so that the page's controls stay disabled until the dialog opens. If loading fails,
 * `onDemand` shows a notice that tries again.
 */
export const loaded = (load: () => Promise<unknown>): Promise<unknown> => load().catch(() => null)
