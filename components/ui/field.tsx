import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { CircleAlert } from './icons.tsx'
import { Label } from './label.tsx'

export function Field({ className, ...rest }: ComponentProps<'div'>) {
  return <div data-slot="field" className={cn('min-w-0', className)} {...rest} />
}

export function FieldLabel({ className, ...rest }: ComponentProps<typeof Label>) {
  return <Label data-slot="field-label" className={cn('mb-1 block', className)} {...rest} />
}

export function FieldDescription({ className, ...rest }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="field-description"
      className={cn('mt-1 min-h-4 text-muted-foreground text-xs', className)}
      {...rest}
    />
  )
}

/** Replaces the description. */
export function FieldError({ className, children, ...rest }: ComponentProps<'p'>) {
  return (
    <p data-slot="field-error" className={cn('mt-1 flex min-h-4 gap-1.5 text-danger text-xs', className)} {...rest}>
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}

interface FormErrorProps {
  fault: string | null | undefined
  meaning?: 'danger' | 'attention'
  className?: string
}

/** For a fault that belongs to no field. */
export function FormError({ fault, meaning = 'danger', className }: FormErrorProps) {
  if (fault === null || fault === undefined) return null
  return (
    <p role="alert" className={cn(className, meaning === 'danger' ? 'text-danger' : 'text-attention', 'text-sm')}>
      {fault}
    </p>
  )
}

export const FormErrors = ({ faults, className }: { faults: Readonly<Record<string, string>>; className?: string }) =>
  Object.values(faults).map((fault) => <FormError key={fault} fault={fault} className={className} />)
