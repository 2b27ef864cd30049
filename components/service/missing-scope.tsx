import type { ReactNode } from 'react'
import { Explained } from '#components/values/explained.tsx'
import type { Scope } from '#lib/contract/scopes.ts'

interface MissingScopeProps {
  scope: Scope
  /** The word of what may not be done. */
  children: ReactNode
}

/** Something that the person may not do: it stays in sight and names the scope that is missing. */
export const MissingScope = ({ scope, children }: MissingScopeProps) => (
  <Explained
    why={`It needs the scope ${scope}.`}
    className="inline-flex cursor-not-allowed items-center rounded-sm px-1 font-[550] text-muted-foreground"
  >
    {children}
  </Explained>
)
