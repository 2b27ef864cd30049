import {
  type ComponentProps,
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
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

/** Hidden from screen readers, which get `aria-keyshortcuts`, and on touch screens. */
export const ShortcutHint = ({ of }: { of: string }) => (
  <Kbd aria-hidden className="leading-4 pointer-coarse:hidden">
    {of}
  </Kbd>
)

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

export function usePageKey(key: string, act: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || event.repeat || !isPageKey(event)) return
    event.preventDefault()
    act()
  })
  // A layout effect registers the listener before the hint is painted, so that no key press is lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'repeat' | 'preventDefault'>

/** Ctrl Enter or ⌘ Enter. A held key submits nothing. */
function submitByKeys(event: KeyPress, form: HTMLFormElement | null): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  event.preventDefault()
  form?.requestSubmit()
}

export const submitText = (event: React.KeyboardEvent<HTMLTextAreaElement>): void =>
  submitByKeys(event, event.currentTarget.form)

/** For the form of a dialog, wherever the focus is in it. */
export function useSubmitKeys(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => submitByKeys(event, form.current)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return form
}

export const SubmitHint = () => (
  <Kbd aria-hidden className="pointer-coarse:hidden">
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
