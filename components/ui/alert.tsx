import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export const alertVariants = cva(
  'grid grid-cols-[0_minmax(0,1fr)] gap-y-0.5 rounded-md border px-3.5 py-2.5 text-sm has-[>svg]:grid-cols-[1rem_minmax(0,1fr)] has-[>svg]:gap-x-2.5 [&>svg]:mt-px [&>svg]:size-4',
  {
    variants: {
      variant: {
        default: 'bg-card text-card-foreground',
        destructive: 'border-danger/45 bg-danger-wash text-danger',
        good: 'border-good/40 bg-good-wash [&>svg]:text-good',
        working: 'border-working/40 bg-working-wash [&>svg]:text-working',
        attention: 'border-attention/45 bg-attention-wash [&>svg]:text-attention',
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

/** Announced at once; pass `role="status"` for a polite announcement. */
export function Alert({ className, variant, ...rest }: ComponentProps<'div'> & VariantProps<typeof alertVariants>) {
  return <div data-slot="alert" role="alert" className={cn(alertVariants({ variant }), className)} {...rest} />
}

export function AlertTitle({ className, ...rest }: ComponentProps<'div'>) {
  return <div data-slot="alert-title" className={cn('col-start-2 font-semibold', className)} {...rest} />
}

export function AlertDescription({ className, ...rest }: ComponentProps<'div'>) {
  return <div data-slot="alert-description" className={cn('col-start-2 break-words', className)} {...rest} />
}
