import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from '#components/ui/dialog.tsx'

interface ModalProps {
  title: ReactNode
  /** One sentence under the title. */
  description: ReactNode
  children: ReactNode
  /** Runs on Esc and on a click outside. It must stop rendering the dialog. */
  onClose: () => void
}

/** What had the focus before each open dialog. */
const openers = new WeakMap<Element, Element | null>()

/** What has the focus now; in a dialog that gives way to the next one, what had it before that one. */
function focusedOutside(): Element | null {
  const focused = document.activeElement
  const dialog = focused?.closest('[role="dialog"]')
  return (dialog ? openers.get(dialog) : focused) ?? null
}

/** Backwards from the title, which is no stop of Tab, one comes to the last one: the browser alone would stay where one is. */
function toTheLast(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab' || !event.shiftKey) return
  const stops = event.currentTarget.closest('[role="dialog"]')?.querySelectorAll<HTMLElement>(STOPS) ?? []
  const last = [...stops].at(-1)
  if (last === undefined) return
  event.preventDefault()
  last.focus()
}

const STOPS = 'a[href], button:enabled, input:enabled, textarea:enabled'

/**
 * Of a dialog: puts the focus on what `firstIn` finds when it opens, and gives it back when it closes. One that gives way to
 * the next leaves that to it.
 */
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
      // Unless the next dialog has it by now.
      if (opener instanceof HTMLElement && focusedOutside() === document.activeElement) opener.focus()
    },
  }
}

/**
 * A dialog that is open as long as it is rendered. It keeps the focus, gives it back, and puts it on its title first, or
 * on the field marked `data-first`: a held Enter must not fall on a button.
 */
export function Modal({ title, description, children, onClose }: ModalProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const focus = useDialogFocus((content) => content.querySelector<HTMLElement>('[data-first]') ?? heading.current)
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent showCloseButton={false} {...focus}>
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
