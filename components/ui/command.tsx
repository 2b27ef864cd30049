import { Command as Primitive } from 'cmdk'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { Search } from './icons.tsx'

export function Command({ className, ...rest }: ComponentProps<typeof Primitive>) {
  return (
    <Primitive
      data-slot="command"
      className={cn('flex w-full flex-col overflow-hidden rounded-lg bg-popover text-popover-foreground', className)}
      {...rest}
    />
  )
}

export function CommandInput({ className, ...rest }: ComponentProps<typeof Primitive.Input>) {
  return (
    <div data-slot="command-input-wrapper" className="flex min-h-10 items-center gap-2 border-b px-3">
      <Search aria-hidden className="size-4 shrink-0 opacity-50" />
      <Primitive.Input
        data-slot="command-input"
        className={cn('w-full bg-transparent py-2 outline-none placeholder:text-muted-foreground', className)}
        {...rest}
      />
    </div>
  )
}

export function CommandList({ className, ...rest }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      data-slot="command-list"
      className={cn('max-h-80 scroll-py-1 overflow-y-auto', className)}
      {...rest}
    />
  )
}

export function CommandGroup({ className, ...rest }: ComponentProps<typeof Primitive.Group>) {
  return (
    <Primitive.Group
      data-slot="command-group"
      className={cn(
        'p-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs',
        className,
      )}
      {...rest}
    />
  )
}

export function CommandItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      data-slot="command-item"
      className={cn(
        'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-[selected=true]:bg-accent data-[selected=true]:text-accent-foreground data-[disabled=true]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
        className,
      )}
      {...rest}
    />
  )
}
