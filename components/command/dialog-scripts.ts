/** The scripts of the dialogs, which come when they are needed. */
export const loadConfirmDialog = () => import('./confirm-dialog.tsx')
export const loadStepUpDialog = () => import('./step-up-dialog.tsx')

/** Waits for one before its step is shown, so that the page's controls stay busy. That it does not come, the step says. */
export const loaded = (load: () => Promise<unknown>): Promise<unknown> => load().catch(() => null)
