import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export const fieldFrame =
  'rounded-md border border-input bg-card px-2.5 transition-shadow focus-within:border-ring focus-within:shadow-[0_0_0_3px_color-mix(in_oklab,var(--ring)_22%,transparent)] aria-invalid:border-danger has-aria-invalid:border-danger disabled:bg-muted has-[input:disabled]:bg-muted'

export const fieldControl = 'outline-none placeholder:text-muted-foreground disabled:text-secondary-foreground'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="input"
      className={cn(fieldFrame, fieldControl, 'min-h-8.5 w-full min-w-0 py-1', className)}
      {...rest}
    />
  )
}
