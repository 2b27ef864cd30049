import type { ComponentProps, ReactNode } from 'react'
import { Card, CardAction, CardHeader, CardTitle } from '#components/ui/card.tsx'
import { cn } from '#components/ui/cn.ts'
import type { Meaning } from '#lib/values/words.ts'

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
