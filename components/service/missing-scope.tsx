import type { ReactNode } from 'react'
import { Explained } from '#components/values/explained.tsx'
import type { Scope } from '#lib/contract/scopes.ts'

interface MissingScopeProps {
  scope: Scope
  /** The name of the action. */
  children: ReactNode
}

/** Shows an action that the operator may not do, and names the missing scope. */
export const MissingScope = ({ scope, children }: MissingScopeProps) => (
  <Explained
    why={`It needs the scope ${scope}.`}
    className="inline-flex cursor-not-allowed items-center rounded-sm px-1 font-[550] text-muted-foreground"
  >
    {children}
  </Explained>
)
