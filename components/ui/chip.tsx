import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

const look = cva(
  'inline-flex min-h-5.5 max-w-full items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-[550] text-xs [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:stroke-2',
  {
    variants: {
      tone: {
        good: 'bg-good-wash text-good',
        working: 'bg-working-wash text-working',
        attention: 'bg-attention-wash text-attention',
        danger: 'bg-danger-wash text-danger',
        unknown: 'bg-unknown-wash text-unknown',
        neutral: 'bg-sunken text-ink-2 shadow-[inset_0_0_0_1px_var(--line)]',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export type Tone = NonNullable<VariantProps<typeof look>['tone']>

/** A small word on a coloured ground. The word says it; the colour only helps. */
export function Chip({ tone, className, ...rest }: ComponentProps<'span'> & { tone?: Tone }) {
  return <span className={classes(look({ tone }), className)} {...rest} />
}
