import { ArrowLeftRight, Landmark, type LucideIcon, ShieldCheck } from 'lucide-react'
import type { Scope } from '#lib/contract/scopes.ts'

export interface Area {
  readonly href: string
  readonly word: string
  readonly icon: LucideIcon
  /** Without it the area is of no use; null where everyone has use of it. */
  readonly scope: Scope | null
}

/** The console's areas, in the order of the rail. */
export const areas: readonly Area[] = [
  { href: '/deposits', word: 'Deposits', icon: Landmark, scope: 'core:transactions:confirm' },
  { href: '/transactions', word: 'Transactions', icon: ArrowLeftRight, scope: 'core:transactions:read' },
  { href: '/security', word: 'Security', icon: ShieldCheck, scope: null },
]
