import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from '#components/ui/dialog.tsx'
import { isSubmitKey } from '#components/ui/kbd.tsx'

interface ModalProps {
  title: ReactNode
  description: ReactNode
  children: ReactNode
  /** On Esc and on a click outside. It must stop rendering the dialog. */
  onClose: () => void
}

/** For each dialog, the element that had the focus before it opened. */
const openers = new WeakMap<Element, Element | null>()

function focusedOutside(): Element | null {
  const focused = document.activeElement
  const dialog = focused?.closest('[role="dialog"]')
  return (dialog ? openers.get(dialog) : focused) ?? null
}

/** The title is not a tab stop, so browsers ignore Shift+Tab on it. */
function toTheLast(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab' || !event.shiftKey) return
  const stops = event.currentTarget.closest('[role="dialog"]')?.querySelectorAll<HTMLElement>(STOPS) ?? []
  const last = [...stops].at(-1)
  if (last === undefined) return
  event.preventDefault()
  last.focus()
}

/** Both keys must go down after the dialog opened, so that a double press cannot confirm it. */
function useConfirmKeys() {
  const openedAtMs = useRef(0)
  const isFresh = useRef(false)
  const confirmByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const { key, repeat, timeStamp } = event
    if ((key === 'Control' || key === 'Meta') && !repeat && timeStamp >= openedAtMs.current) isFresh.current = true
    if (event.defaultPrevented || !isSubmitKey(event)) return
    event.preventDefault()
    if (repeat || !isFresh.current) return
    const footer = event.currentTarget.querySelector('[data-slot="dialog-footer"]')
    const confirm =
      footer?.querySelector<HTMLElement>('[type="submit"]') ??
      footer?.querySelector<HTMLElement>('button:not([data-cancel])')
    confirm?.click()
  }
  const opened = () => {
    openedAtMs.current = performance.now()
  }
  return { opened, confirmByKeys }
}

const STOPS = 'a[href], button:enabled, input:enabled, textarea:enabled'

/** Restores the focus on close, unless the next dialog has taken it. */
export function useDialogFocus(firstIn: (content: HTMLElement) => HTMLElement | null) {
  const [opener] = useState(focusedOutside)
  return {
    onOpenAutoFocus: (event: Event) => {
      event.preventDefault()
      openers.set(event.currentTarget as HTMLElement, opener)
      firstIn(event.currentTarget as HTMLElement)?.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener instanceof HTMLElement && focusedOutside() === document.activeElement) opener.focus()
      if (document.activeElement === document.body) document.getElementById('main')?.focus()
    },
  }
}

/** Open while rendered. Focuses the title or `data-first`: a held Enter must not press a button. */
export function Modal({ title, description, children, onClose }: ModalProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = useDialogFocus((content) => content.querySelector<HTMLElement>('[data-first]') ?? heading.current)
  const { opened, confirmByKeys } = useConfirmKeys()
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        onKeyDown={confirmByKeys}
        onOpenAutoFocus={(event) => {
          focus.onOpenAutoFocus(event)
          opened()
        }}
        onCloseAutoFocus={focus.onCloseAutoFocus}
      >
        <DialogHeader>
          <DialogTitle ref={heading} tabIndex={-1} onKeyDown={toTheLast}>
            {title}
          </DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {children}
      </DialogContent>
    </Dialog>
  )
}
