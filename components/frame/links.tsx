import type { VariantProps } from 'class-variance-authority'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'

type LinkProps = ComponentProps<typeof Link>

/** Without prefetching: hovering over a link must not make the service read anything. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link prefetch={false} className={cn(className, 'text-primary underline underline-offset-4')} {...rest} />
}

/** Underlined on hover only, for lists of links. */
export function QuietLink({ className, ...rest }: LinkProps) {
  return (
    <Link prefetch={false} className={cn(className, 'text-primary underline-offset-4 hover:underline')} {...rest} />
  )
}

/** Looks like a button. */
export function ButtonLink({ variant, size, ...rest }: LinkProps & VariantProps<typeof buttonVariants>) {
  return <Link prefetch={false} className={buttonVariants({ variant, size })} {...rest} />
}
