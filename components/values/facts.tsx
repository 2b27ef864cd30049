import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { visibleText } from '#lib/values/text.ts'
import { type ServiceNameOf, serviceWord } from '#lib/values/words.ts'
import { Reference } from './reference.tsx'
import { Timestamp } from './timestamp.tsx'

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={cn('grid gap-y-0.5 px-3.5 py-2.5 text-sm', className)}>{children}</dl>
}

export const Fact = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex min-h-6.5 min-w-0 items-center justify-between gap-x-4">
    <dt className="shrink-0 text-muted-foreground">{label}</dt>
    <dd className="flex min-w-0 flex-wrap items-center justify-end break-words text-right">{children}</dd>
  </div>
)

export const TimeFact = ({ label, value }: { label: string; value: string }) => (
  <Fact label={label}>
    <Timestamp value={value} />
  </Fact>
)

export const ReferenceFact = ({ label, ...reference }: ComponentProps<typeof Reference> & { label: ReactNode }) => (
  <Fact label={label}>
    <Reference {...reference} />
  </Fact>
)

export function ServiceName({ of, name }: { of: ServiceNameOf; name: string }) {
  const word = serviceWord(of, name)
  return word === null ? <span className="mono">{visibleText(name)}</span> : <span title={name}>{word}</span>
}

/** In a cell. A pointer shows the whole text. */
export const CutText = ({ text, className = 'max-w-[22ch]' }: { text: string; className?: string }) => (
  <bdi className={cn('inline-block truncate align-bottom', className)} title={visibleText(text)}>
    {visibleText(text)}
  </bdi>
)
