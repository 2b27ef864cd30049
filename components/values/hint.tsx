import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'

/** Shows `text` on hover and on focus of what it wraps. `children` is one element that can take the focus. */
export function Hint({ text, children, className }: { text: ReactNode; children: ReactNode; className?: string }) {
  return (
    <span className={cn('hint inline-flex min-w-0 max-w-full', className)}>
      {children}
      <span
        role="tooltip"
        className="z-50 m-1 w-max select-none max-w-80 break-words rounded bg-foreground px-2 py-1 text-left font-normal font-sans text-background text-xs tracking-normal whitespace-normal"
      >
        {text}
      </span>
    </span>
  )
}
