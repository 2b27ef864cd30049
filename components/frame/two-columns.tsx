import type { ComponentProps } from 'react'
import { cn } from '#components/ui/cn.ts'

export function TwoColumns({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]', className)} {...rest} />
}
