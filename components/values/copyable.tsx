'use client'

import { Check } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { Hint } from './hint.tsx'
import { useTabIndex } from './tab-stop.ts'

const COPIED_FOR_MS = 1_600
const copiedWords = { done: 'Copied', refused: 'Not copied: the browser does not allow it' }

interface CopyableProps {
  /** What goes to the clipboard. */
  value: string
  /** Shown on hover and focus; the value itself unless something else says more. */
  hint?: ReactNode
  /** What a click does, for screen readers: `copy the trace id`. */
  action: string
  /** The text for screen readers, where what is shown of it is in parts. */
  spoken?: string | undefined
  children: ReactNode
  className?: string
}

/** Text that one click copies whole, or the key `c`, and that can be selected like any other. */
export function Copyable({ value, hint = value, action, spoken, children, className }: CopyableProps) {
  const [copied, setCopied] = useState<keyof typeof copiedWords | null>(null)
  const tabIndex = useTabIndex(true)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = (event: MouseEvent) => {
    // A person who is selecting text wants the selection, not the click. A key has no clicks to count.
    if (event.detail > 0 && window.getSelection()?.toString()) return
    navigator.clipboard.writeText(value).then(
      () => setCopied('done'),
      () => setCopied('refused'),
    )
  }
  return (
    <Hint
      text={
        <span aria-live="polite" className="flex items-start gap-1.5">
          {copied === 'done' ? <Check aria-hidden className="mt-px size-3.5 shrink-0" /> : null}
          <span className="min-w-0 break-all">{copied === null ? hint : copiedWords[copied]}</span>
        </span>
      }
    >
      <button
        type="button"
        tabIndex={tabIndex}
        data-copy={copied ?? ''}
        onClick={copy}
        aria-label={spoken === undefined ? undefined : `${spoken} ${action}`}
        className={cn(
          // What stands in it for screen readers alone is placed within it: else it makes a page longer that scrolls it away.
          'relative min-h-6 min-w-0 max-w-full select-text rounded-sm decoration-muted-foreground decoration-dotted underline-offset-4 hover:underline',
          className,
        )}
      >
        {children}
        <span className="sr-only select-none"> {action}</span>
      </button>
    </Hint>
  )
}
