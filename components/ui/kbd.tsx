import { type ComponentProps, createContext, useContext, useEffectEvent, useLayoutEffect } from 'react'
import { cn } from './cn.ts'

export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn('rounded border border-current px-1 font-sans text-[11px] opacity-80', className)}
      {...rest}
    />
  )
}

/** Hidden from screen readers, which get `aria-keyshortcuts`, and on touch screens and phones. */
export const ShortcutHint = ({ of }: { of: string }) => (
  <Kbd aria-hidden className="leading-4 max-sm:hidden pointer-coarse:hidden">
    {of}
  </Kbd>
)

/** Elements that use keys themselves. */
const OTHER_USES =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [role="combobox"], [role="listbox"], [contenteditable], [role="dialog"], [role="alertdialog"], [popover]'

const OPEN_MENU = ':popover-open:not([role="tooltip"])'

export function isPageKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false
  // Some keyboards type a bracket with AltGr, which some systems report as Ctrl and Alt.
  const modified = event.ctrlKey || event.metaKey || event.altKey
  if (modified && !event.getModifierState('AltGraph')) return false
  if (event.key === 'Escape' && document.querySelector(OPEN_MENU) !== null) return false
  return !document.activeElement?.closest(OTHER_USES)
}

/** Listeners on `document` get the key before those on `window`. */
export function useKeyDown(on: 'document' | 'window', act: (event: KeyboardEvent) => void, capture = false): void {
  const onKey = useEffectEvent(act)
  // A layout effect registers the listener before the hint is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const target: EventTarget = on === 'window' ? window : document
    const listener = (event: Event) => onKey(event as KeyboardEvent)
    target.addEventListener('keydown', listener, { capture })
    return () => target.removeEventListener('keydown', listener, { capture })
  }, [on, capture])
}

export const usePageKey = (key: string, act: () => void): void =>
  useKeyDown('document', (event) => {
    if (event.key !== key || event.repeat || !isPageKey(event)) return
    event.preventDefault()
    act()
  })

export const isSubmitKey = ({ key, ctrlKey, metaKey }: React.KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey)

/** The focus may have moved onto a button while the key was down. */
export function ignoreHeldEnter(event: React.KeyboardEvent): void {
  if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
}

export function submitText(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
  if (!isSubmitKey(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.form?.requestSubmit()
}

export const SubmitHint = () => (
  <Kbd aria-hidden className="max-sm:hidden pointer-coarse:hidden">
    Ctrl ↵
  </Kbd>
)

/** `row`: everything in a row except copy controls. A long list has one row as tab stop and its own keys. */
type Stops = 'all' | 'row' | 'none'

export const TabStop = createContext<Stops>('all')

/** `copies`: the control only copies. */
export function useTabIndex(copies = false): -1 | undefined {
  const stops = useContext(TabStop)
  return stops === 'none' || (stops === 'row' && copies) ? -1 : undefined
}
