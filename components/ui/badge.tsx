import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import type { Icon } from './icons.tsx'

export const badgeVariants = cva(
  'inline-flex min-h-5.5 max-w-full items-center gap-1.5 whitespace-nowrap rounded-full px-2 font-[550] text-xs [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:stroke-2',
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground',
        secondary: 'bg-secondary text-secondary-foreground',
        destructive: 'bg-destructive text-destructive-foreground',
        outline: 'shadow-[inset_0_0_0_1px_var(--border)]',
        good: 'bg-good-wash text-good',
        working: 'bg-working-wash text-working',
        attention: 'bg-attention-wash text-attention',
        danger: 'bg-danger-wash text-danger',
        unknown: 'bg-unknown-wash text-unknown',
        neutral: 'bg-muted text-secondary-foreground shadow-[inset_0_0_0_1px_var(--border)]',
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

interface BadgeProps extends ComponentProps<'span'>, VariantProps<typeof badgeVariants> {
  icon?: Icon
}

export const Badge = ({ variant, icon: Icon, className, children, ...rest }: BadgeProps) => (
  <span data-slot="badge" className={cn(badgeVariants({ variant }), className)} {...rest}>
    {Icon === undefined ? null : <Icon aria-hidden />}
    {children}
  </span>
)

export const badgeOf = (icon: Icon, variant: BadgeProps['variant'], words: string) => (
  <Badge variant={variant} icon={icon}>
    {words}
  </Badge>
)
