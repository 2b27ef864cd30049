'use client'

import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { useTabIndex } from './tab-stop.ts'

interface CopyableProps {
  value: string
  /** Instead of `value`; `\n` separates lines. */
  hint?: string | undefined
  /** For screen readers, for example `copy the trace id`. */
  action: string
  /** For screen readers, when the visible text is split. */
  spoken?: string | undefined
  children: ReactNode
  className?: string
}

/** `HintLayer` copies on a click or the key `c`. */
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

export function CopyIcon({ value, action }: Pick<CopyableProps, 'value' | 'action'>) {
  const tabIndex = useTabIndex(true)
  return <button type="button" tabIndex={tabIndex} data-copy={value} aria-label={action} className="copy-icon" />
}
