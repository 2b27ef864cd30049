import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function Label({ className, htmlFor, children, ...rest }: ComponentProps<'label'>) {
  return (
    <label data-slot="label" htmlFor={htmlFor} className={cn('font-[550] text-sm', className)} {...rest}>
      {children}
    </label>
  )
}
