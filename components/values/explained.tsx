import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { useTabIndex } from './tab-stop.ts'

interface ExplainedProps {
  why: string
  className: string
  children: ReactNode
}

export function Explained({ why, className, children }: ExplainedProps) {
  const tabIndex = useTabIndex()
  return (
    <button
      type="button"
      aria-disabled="true"
      aria-description={why}
      data-hint={why}
      tabIndex={tabIndex}
      className={cn('min-h-6', className)}
    >
      {children}
    </button>
  )
}
