'use client'

import type { ReactNode } from 'react'
import { Hint } from '#components/ui/hint.tsx'
import { useTabIndex } from '#components/ui/tab-stop.ts'
import type { Scope } from '#lib/contract/scopes.ts'

interface MissingScopeProps {
  scope: Scope
  /** The word of what may not be done. */
  children: ReactNode
}

/** Something that the person may not do: it stays in sight and names the scope that is missing. */
export function MissingScope({ scope, children }: MissingScopeProps) {
  const tabIndex = useTabIndex()
  const why = `It needs the scope ${scope}.`
  return (
    <Hint text={why}>
      <button
        type="button"
        aria-disabled="true"
        aria-description={why}
        tabIndex={tabIndex}
        className="inline-flex min-h-6 cursor-not-allowed items-center rounded-sm px-1 font-[550] text-ink-3"
      >
        {children}
      </button>
    </Hint>
  )
}
