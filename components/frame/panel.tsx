import type { VariantProps } from 'class-variance-authority'
import Link from 'next/link'
import type { ComponentProps, ReactNode } from 'react'
import { buttonVariants } from '#components/ui/button.tsx'
import { Card, CardAction, CardHeader, CardTitle } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { formatCount, type Meaning } from '#lib/values/words.ts'

type PanelProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: ReactNode
  aside?: ReactNode
  meaning?: Meaning
}

const frames: Readonly<Record<Meaning, string>> = {
  neutral: '',
  good: 'border-good/40',
  working: 'border-working/40',
  attention: 'border-attention/45',
  danger: 'border-danger/45',
  unknown: 'border-unknown/45',
}

export const Panel = ({ title, aside, meaning = 'neutral', className, children, ...rest }: PanelProps) => (
  <Card className={cn(frames[meaning], className)} {...rest}>
    <CardHeader>
      <CardTitle>{title}</CardTitle>
      {aside === undefined ? null : <CardAction>{aside}</CardAction>}
    </CardHeader>
    {children}
  </Card>
)

export const PanelOutline = ({ title, lines }: { title: string; lines: number }) => (
  <Panel title={title} aria-busy="true">
    <div className="grid gap-y-0.5 px-3.5 py-2.5">
      <p role="status" className="sr-only">
        Reading
      </p>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
        <span key={at} aria-hidden className="flex min-h-6.5 items-center justify-between gap-x-4">
          <Skeleton className="h-2.5 w-24" />
          <Skeleton className="h-2.5 w-36" />
        </span>
      ))}
    </div>
  </Panel>
)

export function TwoColumns({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]', className)} {...rest} />
}

/** `count`: null when more exist but their number is unknown. */
export function MoreLink({ count, href }: { count: number | null; href: string }) {
  if (count === 0) return null
  return (
    <p className="border-t px-3.5 py-2 text-sm">
      <QuietLink href={href} className="figures">
        {count === null ? 'More' : `${formatCount(count)} more`}
      </QuietLink>
    </p>
  )
}

type LinkProps = ComponentProps<typeof Link>

/** Without prefetching: hovering over a link must not make the service read anything. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link prefetch={false} className={cn(className, 'text-primary underline underline-offset-4')} {...rest} />
}

/** Underlined on hover only, for lists of links. */
export const QuietLink = ({ className, ...rest }: LinkProps) => (
  <Link prefetch={false} className={cn(className, 'text-primary underline-offset-4 hover:underline')} {...rest} />
)

export function ButtonLink({ variant, size, className, ...rest }: LinkProps & VariantProps<typeof buttonVariants>) {
  return <Link prefetch={false} className={buttonVariants({ variant, size, className })} {...rest} />
}

export const EmptyRows = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <p className="font-semibold text-foreground">{title}</p>
    <p>{children}</p>
  </>
)
