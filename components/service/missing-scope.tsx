import type { ReactNode } from 'react'
import { Explained } from '#components/values/explained.tsx'
import type { Scope } from '#lib/contract/scopes.ts'

interface MissingScopeProps {
  scope: Scope
  children: ReactNode
}

export const MissingScope = ({ scope, children }: MissingScopeProps) => (
  <Explained
    why={`It needs the scope ${scope}.`}
    className="inline-flex cursor-not-allowed items-center rounded-sm px-1 font-[550] text-muted-foreground"
  >
    {children}
  </Explained>
)
