import Link from 'next/link'
import type { ReactNode } from 'react'
import { Card } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'

interface HomeNumberProps {
  title: string
  /** Where what is counted stands. */
  href: string
  /** Null: it is not known; why, is below it. */
  value: number | null
  /** It is on its way. */
  reading?: boolean
  /** It wants somebody. */
  raised?: boolean
  /** What there is to say of it, in a few words. */
  children?: ReactNode
}

/** A number on Home, and the way to what it counts. One that is not known is never zero. */
export const HomeNumber = ({ title, href, value, reading = false, raised = false, children }: HomeNumberProps) => (
  <Card className={cn('gap-0.5 px-3.5 py-3', raised && 'border-unknown/45')}>
    <Link href={href} prefetch={false} className="group grid rounded-sm">
      <span className="text-secondary-foreground text-sm underline-offset-4 group-hover:underline">{title}</span>
      <span className="figures font-semibold text-figure leading-8 tracking-[-0.02em]">
        {value?.toLocaleString('en-US') ?? (reading ? 'Reading' : 'Not known')}
      </span>
    </Link>
    <p className="flex min-h-6 flex-wrap items-center gap-x-1 text-muted-foreground text-xs">{children}</p>
  </Card>
)
