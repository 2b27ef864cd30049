'use client'

import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'

interface DialogProps {
  title: ReactNode
  /** One sentence under the title. */
  description: ReactNode
  children: ReactNode
  /** Called by Esc, by a click outside and by whoever closes it. */
  onClose: () => void
}

/**
 * A dialog that is open as long as it is rendered. It keeps the focus, gives it back, and puts it on its title first, or
 * on the field marked `data-first`: a held Enter must not fall on a button.
 */
export function Dialog({ title, description, children, onClose }: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [opener] = useState(() => document.activeElement)
  return (
    <Primitive.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[oklch(0.1_0.02_258/0.45)]" />
        <Primitive.Content
          className="fixed top-[10vh] left-1/2 z-50 flex max-h-[80vh] w-[min(520px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-[var(--lift)]"
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-first]')
            ;(first ?? heading.current)?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener instanceof HTMLElement) opener.focus()
          }}
        >
          <header className="border-line border-b px-4.5 py-3.5">
            <Primitive.Title ref={heading} tabIndex={-1} className="break-words font-semibold text-lg outline-none">
              {title}
            </Primitive.Title>
            <Primitive.Description className="mt-0.5 text-ink-2 text-sm">{description}</Primitive.Description>
          </header>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
