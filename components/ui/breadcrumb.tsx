import { ChevronRight } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function Breadcrumb(props: ComponentProps<'nav'>) {
  return <nav data-slot="breadcrumb" aria-label="Breadcrumb" {...props} />
}

export function BreadcrumbList({ className, ...rest }: ComponentProps<'ol'>) {
  return (
    <ol
      data-slot="breadcrumb-list"
      className={cn('flex flex-wrap items-center gap-1.5 break-words text-muted-foreground text-sm', className)}
      {...rest}
    />
  )
}

export function BreadcrumbItem({ className, ...rest }: ComponentProps<'li'>) {
  return <li data-slot="breadcrumb-item" className={cn('inline-flex items-center gap-1.5', className)} {...rest} />
}

export function BreadcrumbLink({ asChild = false, className, ...rest }: ComponentProps<'a'> & { asChild?: boolean }) {
  const Element = asChild ? Slot.Root : 'a'
  return <Element data-slot="breadcrumb-link" className={cn('hover:text-foreground', className)} {...rest} />
}

export function BreadcrumbPage({ className, ...rest }: ComponentProps<'span'>) {
  return <span data-slot="breadcrumb-page" aria-current="page" className={cn('text-foreground', className)} {...rest} />
}

export function BreadcrumbSeparator({ children, className, ...rest }: ComponentProps<'li'>) {
  return (
    <li
      data-slot="breadcrumb-separator"
      role="presentation"
      aria-hidden
      className={cn('[&_svg]:size-3.5', className)}
      {...rest}
    >
      {children ?? <ChevronRight />}
    </li>
  )
}
