export const loadCommandOutcome = () => import('./command-outcome.tsx')

export const loadConfirmDialog = () => import('./confirm-dialog.tsx')
export const loadStepUpDialog = () => import('./step-up-dialog.tsx')

/** Loads the outcome too, before anything can be sent. */
export const loadForConfirming = () => Promise.all([loadConfirmDialog(), loadCommandOutcome()])

/** Keeps the page's controls disabled until the dialog opens. If loading fails, `onDemand` offers to try again. */
export const loaded = (load: () => Promise<unknown>): Promise<unknown> => load().catch(() => null)
