import { ArrowLeftRight, CreditCard, Landmark, type LucideIcon, Nfc, Users } from 'lucide-react'
import type { Scope } from '#lib/contract/scopes.ts'

export interface Area {
  readonly href: string
  readonly word: string
  readonly icon: LucideIcon
  /** Without it the area is of no use. */
  readonly scope: Scope
}

/** The console's areas, in the order of the rail. */
export const areas: readonly Area[] = [
  { href: '/deposits', word: 'Deposits', icon: Landmark, scope: 'core:transactions:confirm' },
  { href: '/transactions', word: 'Transactions', icon: ArrowLeftRight, scope: 'core:transactions:read' },
  { href: '/users', word: 'Users', icon: Users, scope: 'core:transactions:read' },
  { href: '/cards', word: 'Cards', icon: CreditCard, scope: 'core:cards:manage' },
  { href: '/terminals', word: 'Terminals', icon: Nfc, scope: 'core:merchant_terminals:read' },
]
