import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function TooltipProvider({ delayDuration = 150, ...rest }: ComponentProps<typeof Primitive.Provider>) {
  return <Primitive.Provider delayDuration={delayDuration} {...rest} />
}

/** Table rows use `data-hint` instead, which needs no script per row. */
export function Tooltip(props: ComponentProps<typeof Primitive.Root>) {
  return (
    <TooltipProvider>
      <Primitive.Root {...props} />
    </TooltipProvider>
  )
}

export const TooltipTrigger = Primitive.Trigger

export function TooltipContent({ className, sideOffset = 4, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        data-slot="tooltip-content"
        sideOffset={sideOffset}
        className={cn('z-50 max-w-80 break-words rounded bg-foreground px-2 py-1 text-background text-xs', className)}
        {...rest}
      />
    </Primitive.Portal>
  )
}
