import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { HydratedButton, useHydrated } from './hydrated.tsx'
import { Search } from './icons.tsx'

export const buttonVariants = cva(
  'inline-flex items-center justify-center gap-2 rounded-md border py-1 font-[550] leading-4 transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        default: 'border-transparent bg-primary text-primary-foreground not-disabled:hover:opacity-90',
        destructive: 'border-transparent bg-destructive text-destructive-foreground not-disabled:hover:opacity-90',
        outline: 'border-input bg-card text-foreground not-disabled:hover:bg-muted',
        secondary: 'border-transparent bg-secondary text-secondary-foreground not-disabled:hover:bg-border',
        ghost:
          'border-transparent text-secondary-foreground not-disabled:hover:bg-muted not-disabled:hover:text-foreground',
        link: 'border-transparent text-primary underline-offset-4 not-disabled:hover:underline',
      },
      size: {
        default: 'min-h-8 px-3 text-sm',
        sm: 'min-h-7 px-2.5 text-xs',
        lg: 'min-h-10 px-4 text-base',
        icon: 'min-h-8 px-2 text-sm',
        field: 'min-h-8.5 px-3 text-sm',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

/** With `onClick`, it is disabled until hydration. */
export function Button({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'button'> & VariantProps<typeof buttonVariants>) {
  const Element = rest.onClick === undefined ? 'button' : HydratedButton
  return (
    <Element data-slot="button" type="button" className={cn(buttonVariants({ variant, size }), className)} {...rest} />
  )
}

/** Submits a form that needs a script; disabled until hydration, as {@link useHydrated} says. */
export function SubmitButton({ disabled, ...rest }: ComponentProps<typeof Button>) {
  const hydrated = useHydrated()
  return <Button type="submit" disabled={!hydrated || disabled} {...rest} />
}

/** Works without a script. */
export const SearchButton = ({ children, ...rest }: ComponentProps<typeof Button>) => (
  <Button type="submit" variant="outline" size="field" {...rest}>
    <Search aria-hidden />
    {children}
  </Button>
)
