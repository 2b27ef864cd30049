import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function Skeleton({ className, ...rest }: ComponentProps<'span'>) {
  return <span data-slot="skeleton" className={cn('block animate-pulse rounded-sm bg-border', className)} {...rest} />
}
