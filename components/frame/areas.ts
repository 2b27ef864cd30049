import {
  ArrowLeftRight,
  CreditCard,
  Inbox,
  Landmark,
  type LucideIcon,
  Nfc,
  Scale,
  ShieldCheck,
  Users,
} from 'lucide-react'
import type { Scope } from '#lib/contract/scopes.ts'

export interface Area {
  readonly href: string
  readonly word: string
  readonly icon: LucideIcon
  /** Without it the area is of no use; null where everyone has a use for it. */
  readonly scope: Scope | null
  /** What is counted beside its word. */
  readonly counts?: 'open cases'
}

/** The console's areas, in the order of the rail. */
export const areas: readonly Area[] = [
  { href: '/', word: 'Desk', icon: Inbox, scope: null },
  { href: '/deposits', word: 'Deposits', icon: Landmark, scope: 'core:transactions:confirm' },
  { href: '/transactions', word: 'Transactions', icon: ArrowLeftRight, scope: 'core:transactions:read' },
  { href: '/users', word: 'Users', icon: Users, scope: 'core:transactions:read' },
  { href: '/cards', word: 'Cards', icon: CreditCard, scope: 'core:cards:manage' },
  { href: '/terminals', word: 'Terminals', icon: Nfc, scope: 'core:merchant_terminals:read' },
  { href: '/disputes', word: 'Disputes', icon: Scale, scope: 'core:disputes:read', counts: 'open cases' },
  { href: '/security', word: 'Security', icon: ShieldCheck, scope: null },
]
