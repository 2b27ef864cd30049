/** Where keys are typed, or mean something of their own. */
const OTHER_USES =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [popover]'

/** Whether a key is meant for the page: pressed by itself, where nobody types, and taken by nothing else. */
export function isPageKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false
  // Some keyboards write a bracket with AltGr, which some systems report as Ctrl and Alt.
  const modified = event.ctrlKey || event.metaKey || event.altKey
  if (modified && !event.getModifierState('AltGraph')) return false
  return !document.activeElement?.closest(OTHER_USES)
}
