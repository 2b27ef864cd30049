export const loadCommandOutcome = () => import('./command-outcome.tsx')

/** Loads the dialogs' code, which no page brings along. */
export const loadConfirmDialog = () => import('./confirm-dialog.tsx')
export const loadStepUpDialog = () => import('./step-up-dialog.tsx')

/** What a change needs before it can be confirmed: the dialog, and what will show the outcome. */
export const loadForConfirming = () => Promise.all([loadConfirmDialog(), loadCommandOutcome()])

/**
 * Waits until a dialog's code is loaded, so that the page's controls stay disabled until the dialog is open. When loading fails, a
 * notice in the dialog's place tries again.
 */
export const loaded = (load: () => Promise<unknown>): Promise<unknown> => load().catch(() => null)
