import { AlertDialog as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { buttonVariants } from './button.tsx'
import { cn } from './cn.ts'
import { DialogFooter, DialogHeader, dialogFrame, dialogOverlay } from './dialog.tsx'

export const AlertDialog = Primitive.Root
export const AlertDialogTrigger = Primitive.Trigger
export const AlertDialogHeader = DialogHeader
export const AlertDialogFooter = DialogFooter

/** A click outside does not close it. */
export function AlertDialogContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={dialogOverlay} />
      <Primitive.Content data-slot="alert-dialog-content" className={cn(dialogFrame, className)} {...rest} />
    </Primitive.Portal>
  )
}

export function AlertDialogTitle({ className, ...rest }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title
      data-slot="alert-dialog-title"
      className={cn('break-words font-semibold text-lg', className)}
      {...rest}
    />
  )
}

export function AlertDialogDescription({ className, ...rest }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description
      data-slot="alert-dialog-description"
      className={cn('mt-0.5 text-secondary-foreground text-sm', className)}
      {...rest}
    />
  )
}

export function AlertDialogAction({ className, ...rest }: ComponentProps<typeof Primitive.Action>) {
  return <Primitive.Action className={cn(buttonVariants(), className)} {...rest} />
}

export function AlertDialogCancel({ className, ...rest }: ComponentProps<typeof Primitive.Cancel>) {
  return <Primitive.Cancel className={cn(buttonVariants({ variant: 'outline' }), className)} {...rest} />
}
