import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { useTabIndex } from '#components/ui/kbd.tsx'
import type { Scope } from '#lib/contract/scopes.ts'

export function Explained({ why, className, children }: { why: string; className: string; children: ReactNode }) {
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

export const MissingScope = ({ scope, children }: { scope: Scope; children: ReactNode }) => (
  <Explained
    why={`It needs the scope ${scope}.`}
    className="inline-flex cursor-not-allowed items-center rounded-sm px-1 font-[550] text-muted-foreground"
  >
    {children}
  </Explained>
)
