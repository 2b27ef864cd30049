import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

type PanelProps = Omit<ComponentProps<'section'>, 'title'> & {
  title: ReactNode
  /** At the right of the head. */
  aside?: ReactNode
  /** Colours the frame where the panel itself is the message. */
  tone?: 'neutral' | 'good' | 'working' | 'attention' | 'danger' | 'unknown'
}

const tones = {
  neutral: 'border-line',
  good: 'border-good/40',
  working: 'border-working/40',
  attention: 'border-attention/45',
  danger: 'border-danger/45',
  unknown: 'border-unknown/45',
} as const

/** A framed part of a page with a head of its own. */
export function Panel({ title, aside, tone = 'neutral', className, children, ...rest }: PanelProps) {
  return (
    <section className={classes('min-w-0 rounded-lg border bg-surface', tones[tone], className)} {...rest}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3.5 py-2">
        <h2 className="min-w-0">{title}</h2>
        {aside === undefined ? null : <div className="ml-auto flex items-center gap-2">{aside}</div>}
      </header>
      {children}
    </section>
  )
}
