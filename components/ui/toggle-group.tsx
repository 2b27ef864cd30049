import { ToggleGroup as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function ToggleGroup({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      data-slot="toggle-group"
      className={cn('flex gap-0.5 rounded-md bg-muted p-0.5', className)}
      {...rest}
    />
  )
}

export function ToggleGroupItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      data-slot="toggle-group-item"
      className={cn(
        'flex min-h-7 flex-1 items-center justify-center rounded px-2 font-[550] text-secondary-foreground text-xs data-[state=on]:bg-card data-[state=on]:text-foreground data-[state=on]:shadow-[0_0_0_1px_var(--border)]',
        className,
      )}
      {...rest}
    />
  )
}
