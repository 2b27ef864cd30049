import { Check } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

const item =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 text-sm outline-none select-none focus:bg-accent focus:text-accent-foreground data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0'

export const DropdownMenu = Primitive.Root
export const DropdownMenuTrigger = Primitive.Trigger
export const DropdownMenuGroup = Primitive.Group
export const DropdownMenuRadioGroup = Primitive.RadioGroup

export function DropdownMenuContent({ className, sideOffset = 4, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        data-slot="dropdown-menu-content"
        sideOffset={sideOffset}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 overflow-y-auto rounded-lg border bg-popover p-1 text-popover-foreground shadow-[var(--lift)]',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  )
}

interface ItemVariant {
  variant?: 'default' | 'destructive'
}

export function DropdownMenuItem({
  className,
  variant = 'default',
  ...rest
}: ComponentProps<typeof Primitive.Item> & ItemVariant) {
  return (
    <Primitive.Item
      data-slot="dropdown-menu-item"
      className={cn(item, variant === 'destructive' && 'text-destructive', className)}
      {...rest}
    />
  )
}

export function DropdownMenuCheckboxItem({
  className,
  children,
  ...rest
}: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem data-slot="dropdown-menu-checkbox-item" className={cn(item, className)} {...rest}>
      <Marked />
      {children}
    </Primitive.CheckboxItem>
  )
}

export function DropdownMenuRadioItem({ className, children, ...rest }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem data-slot="dropdown-menu-radio-item" className={cn(item, className)} {...rest}>
      <Marked />
      {children}
    </Primitive.RadioItem>
  )
}

const Marked = () => (
  <span className="flex size-4">
    <Primitive.ItemIndicator>
      <Check aria-hidden />
    </Primitive.ItemIndicator>
  </span>
)

export function DropdownMenuLabel({ className, ...rest }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label
      data-slot="dropdown-menu-label"
      className={cn('px-2 py-1 text-muted-foreground text-xs', className)}
      {...rest}
    />
  )
}

export function DropdownMenuSeparator({ className, ...rest }: ComponentProps<typeof Primitive.Separator>) {
  return (
    <Primitive.Separator
      data-slot="dropdown-menu-separator"
      className={cn('-mx-1 my-1 h-px bg-border', className)}
      {...rest}
    />
  )
}

export function DropdownMenuShortcut({ className, ...rest }: ComponentProps<'span'>) {
  return (
    <span
      data-slot="dropdown-menu-shortcut"
      className={cn('ml-auto text-muted-foreground text-xs', className)}
      {...rest}
    />
  )
}
