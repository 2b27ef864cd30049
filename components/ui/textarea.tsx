import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { fieldControl, fieldFrame } from './input.tsx'

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(fieldFrame, fieldControl, 'block w-full resize-y py-1.5', className)}
      {...rest}
    />
  )
}
