import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export const Dialog = Primitive.Root
export const DialogPortal = Primitive.Portal

const dialogFrame =
  'fixed top-[10vh] short:top-2 left-1/2 z-50 flex max-h-[80vh] short:max-h-[calc(100dvh-1rem)] w-[min(520px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-y-auto rounded-lg border bg-popover text-popover-foreground shadow-[var(--lift)]'

export function DialogOverlay({ className, ...rest }: ComponentProps<typeof Primitive.Overlay>) {
  return (
    <Primitive.Overlay
      data-slot="dialog-overlay"
      className={cn('fixed inset-0 z-50 bg-overlay', className)}
      {...rest}
    />
  )
}

/** A notice of the session lies over the dialog. */
function keepForNotice(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-notices]') !== null) event.preventDefault()
}

export function DialogContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <DialogPortal>
      <DialogOverlay />
      <Primitive.Content
        data-slot="dialog-content"
        onInteractOutside={keepForNotice}
        onEscapeKeyDown={keepForNotice}
        className={cn(dialogFrame, className)}
        {...rest}
      />
    </DialogPortal>
  )
}

export function DialogHeader({ className, ...rest }: ComponentProps<'header'>) {
  return <header data-slot="dialog-header" className={cn('border-b px-4.5 py-3.5', className)} {...rest} />
}

export function DialogFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer
      data-slot="dialog-footer"
      className={cn('flex flex-wrap gap-2 border-t bg-muted px-4.5 py-3', className)}
      {...rest}
    />
  )
}

export function DialogTitle({ className, ...rest }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title
      data-slot="dialog-title"
      className={cn('break-words font-semibold text-lg outline-none', className)}
      {...rest}
    />
  )
}

export function DialogDescription({ className, ...rest }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description
      data-slot="dialog-description"
      className={cn('mt-0.5 text-secondary-foreground text-sm', className)}
      {...rest}
    />
  )
}
