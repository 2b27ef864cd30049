import type { VariantProps } from 'class-variance-authority'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonVariants } from './button.tsx'
import { cn } from './cn.ts'

export function Pagination({ className, ...rest }: ComponentProps<'nav'>) {
  return <nav data-slot="pagination" aria-label="Pages" className={cn('flex', className)} {...rest} />
}

export function PaginationContent({ className, ...rest }: ComponentProps<'ul'>) {
  return <ul data-slot="pagination-content" className={cn('flex items-center gap-1', className)} {...rest} />
}

export function PaginationItem(props: ComponentProps<'li'>) {
  return <li data-slot="pagination-item" {...props} />
}

type PaginationLinkProps = ComponentProps<'a'> &
  Pick<VariantProps<typeof buttonVariants>, 'size'> & { isActive?: boolean }

export function PaginationLink({ className, isActive = false, size = 'icon', ...rest }: PaginationLinkProps) {
  return (
    <a
      data-slot="pagination-link"
      aria-current={isActive ? 'page' : undefined}
      className={cn(buttonVariants({ variant: isActive ? 'outline' : 'ghost', size }), className)}
      {...rest}
    />
  )
}

export function PaginationPrevious(props: ComponentProps<typeof PaginationLink>) {
  return (
    <PaginationLink aria-label="Previous page" {...props}>
      <ChevronLeft aria-hidden />
    </PaginationLink>
  )
}

export function PaginationNext(props: ComponentProps<typeof PaginationLink>) {
  return (
    <PaginationLink aria-label="Next page" {...props}>
      <ChevronRight aria-hidden />
    </PaginationLink>
  )
}
