/** Elements that use keys themselves. */
const OTHER_USES =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [popover]'

export function isPageKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false
  // Some keyboards type a bracket with AltGr, which some systems report as Ctrl and Alt.
  const modified = event.ctrlKey || event.metaKey || event.altKey
  if (modified && !event.getModifierState('AltGraph')) return false
  return !document.activeElement?.closest(OTHER_USES)
}
