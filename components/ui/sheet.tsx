import { cva, type VariantProps } from 'class-variance-authority'
import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { DialogOverlay } from './dialog.tsx'

const sheetVariants = cva('fixed z-50 flex flex-col gap-3 overflow-y-auto bg-popover shadow-[var(--lift)]', {
  variants: {
    side: {
      top: 'inset-x-0 top-0 max-h-[80vh] border-b',
      right: 'inset-y-0 right-0 w-3/4 max-w-sm border-l',
      bottom: 'inset-x-0 bottom-0 max-h-[80vh] border-t',
      left: 'inset-y-0 left-0 w-3/4 max-w-sm border-r',
    },
  },
  defaultVariants: { side: 'right' },
})

export const Sheet = Primitive.Root
export const SheetTrigger = Primitive.Trigger
export const SheetClose = Primitive.Close

export function SheetContent({
  className,
  side,
  children,
  ...rest
}: ComponentProps<typeof Primitive.Content> & VariantProps<typeof sheetVariants>) {
  return (
    <Primitive.Portal>
      <DialogOverlay />
      <Primitive.Content data-slot="sheet-content" className={cn(sheetVariants({ side }), className)} {...rest}>
        {children}
        <Primitive.Close aria-label="Close" className="absolute top-3 right-3 rounded-sm p-1">
          <X aria-hidden className="size-4" />
        </Primitive.Close>
      </Primitive.Content>
    </Primitive.Portal>
  )
}

export function SheetHeader({ className, ...rest }: ComponentProps<'header'>) {
  return <header data-slot="sheet-header" className={cn('px-4.5 pt-3.5 pr-12', className)} {...rest} />
}

export function SheetFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer data-slot="sheet-footer" className={cn('mt-auto flex flex-wrap gap-2 px-4.5 py-3', className)} {...rest} />
  )
}

export function SheetTitle({ className, ...rest }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title data-slot="sheet-title" className={cn('break-words font-semibold text-lg', className)} {...rest} />
  )
}

export function SheetDescription({ className, ...rest }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description
      data-slot="sheet-description"
      className={cn('text-secondary-foreground text-sm', className)}
      {...rest}
    />
  )
}
