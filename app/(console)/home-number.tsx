import Link from 'next/link'
import { type ReactNode, Suspense, use } from 'react'
import { Card } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'

export interface Counted {
  /** Null when not known; `words` says why. An unknown count is never shown as zero. */
  readonly value: number | null
  readonly words?: ReactNode
}

interface HomeNumberProps {
  title: string
  href: string
  counted: Counted | Promise<Counted>
  until?: Counted
  /** Highlights the number, because it needs attention. */
  raised?: boolean
}

/** The link keeps its identity while the number loads, so that it does not lose focus. */
export const HomeNumber = ({ title, href, counted, until, raised = false }: HomeNumberProps) => (
  <Card className={cn('gap-0.5 px-3.5 py-3', raised && 'border-unknown/45')}>
    <Link href={href} prefetch={false} className="group grid rounded-sm">
      <span className="text-secondary-foreground text-sm underline-offset-4 group-hover:underline">{title}</span>
      <span className="figures font-semibold text-figure leading-8 tracking-[-0.02em]">
        <Part of={counted} until={until === undefined ? 'Reading' : valueWords(until)}>
          {valueWords}
        </Part>
      </span>
    </Link>
    <p className="flex min-h-6 flex-wrap items-center gap-x-1 text-muted-foreground text-xs">
      <Part of={counted} until={until?.words}>
        {({ words }) => words}
      </Part>
    </p>
  </Card>
)

const valueWords = ({ value }: Counted): string => value?.toLocaleString('en-US') ?? 'Not known'

interface ArrivedProps<Of> {
  of: Of
  children: (counted: Counted) => ReactNode
}

interface PartProps extends ArrivedProps<Counted | Promise<Counted>> {
  until: ReactNode
}

function Part({ of, until, children }: PartProps) {
  if (!(of instanceof Promise)) return children(of)
  return (
    <Suspense fallback={until}>
      <Arrived of={of}>{children}</Arrived>
    </Suspense>
  )
}

const Arrived = ({ of, children }: ArrivedProps<Promise<Counted>>) => children(use(of))
