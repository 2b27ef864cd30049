import type { ComponentProps, ReactNode } from 'react'
import { Card, CardAction, CardHeader, CardTitle } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'
import type { Meaning } from '#lib/values/state-words.ts'

type PanelProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: ReactNode
  /** At the right of the head. */
  aside?: ReactNode
  /** Colours the frame where the panel itself is the message. */
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

/** A framed part of a page with a head of its own. */
export function Panel({ title, aside, meaning = 'neutral', className, children, ...rest }: PanelProps) {
  return (
    <Card className={cn(frames[meaning], className)} {...rest}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {aside === undefined ? null : <CardAction>{aside}</CardAction>}
      </CardHeader>
      {children}
    </Card>
  )
}
