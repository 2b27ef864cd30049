'use client'

import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { useTabIndex } from './tab-stop.ts'

interface CopyableProps {
  /** What goes to the clipboard. */
  value: string
  /** Shown on hover and focus; the value itself unless something else says more. Lines end with `\n`. */
  hint?: string | undefined
  /** What a click does, for screen readers: `copy the trace id`. */
  action: string
  /** The text for screen readers, where what is shown of it is in parts. */
  spoken?: string | undefined
  children: ReactNode
  className?: string
}

/** Text that one click copies whole, or the key `c`, and that can be selected like any other. The frame's `HintLayer` copies. */
export function Copyable({ value, hint, action, spoken, children, className }: CopyableProps) {
  const tabIndex = useTabIndex(true)
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      data-copy={value}
      data-hint={hint}
      aria-label={spoken === undefined ? undefined : `${spoken} ${action}`}
      className={cn('copyable', className)}
    >
      {children}
      <span className="sr-only select-none"> {action}</span>
    </button>
  )
}

/** Beside a link: an icon that copies what the link is about. */
export function CopyIcon({ value, action }: Pick<CopyableProps, 'value' | 'action'>) {
  const tabIndex = useTabIndex(true)
  return <button type="button" tabIndex={tabIndex} data-copy={value} aria-label={action} className="copy-icon" />
}
