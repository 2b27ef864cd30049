import {
  ArrowLeftRight,
  ClipboardCheck,
  CreditCard,
  History,
  type Icon,
  Inbox,
  Landmark,
  Nfc,
  Scale,
  ShieldCheck,
  Users,
} from '#components/ui/icons.tsx'
import type { Scope } from '#lib/contract/scopes.ts'

export type AreaHref =
  | '/'
  | '/deposits'
  | '/transactions'
  | '/users'
  | '/cards'
  | '/terminals'
  | '/disputes'
  | '/approvals'
  | '/activity'
  | '/security'

interface Area {
  readonly href: AreaHref
  readonly word: string
  /** Second key of the shortcut, after `g`. */
  readonly key: string
  /** Null when every operator can use the area. */
  readonly scope: Scope | null
  readonly counts?: 'own changes' | 'open cases' | 'waiting'
}

export const areas: readonly Area[] = [
  { href: '/', word: 'Home', key: 'h', scope: null, counts: 'own changes' },
  { href: '/deposits', word: 'Deposits', key: 'd', scope: 'core:transactions:confirm' },
  { href: '/transactions', word: 'Transactions', key: 't', scope: 'core:transactions:read' },
  { href: '/users', word: 'Users', key: 'u', scope: 'core:transactions:read' },
  { href: '/cards', word: 'Cards', key: 'c', scope: 'core:cards:manage' },
  { href: '/terminals', word: 'Terminals', key: 'm', scope: 'core:merchant_terminals:read' },
  { href: '/disputes', word: 'Disputes', key: 'q', scope: 'core:disputes:read', counts: 'open cases' },
  { href: '/approvals', word: 'Approvals', key: 'p', scope: null, counts: 'waiting' },
  { href: '/activity', word: 'Activity', key: 'a', scope: null },
  { href: '/security', word: 'Security', key: 's', scope: null },
]

export const areaIcons: Readonly<Record<AreaHref, Icon>> = {
  '/': Inbox,
  '/deposits': Landmark,
  '/transactions': ArrowLeftRight,
  '/users': Users,
  '/cards': CreditCard,
  '/terminals': Nfc,
  '/disputes': Scale,
  '/approvals': ClipboardCheck,
  '/activity': History,
  '/security': ShieldCheck,
}

export interface KeyLine {
  /** Pressed in order, except `Ctrl`, which is held. */
  readonly keys: readonly string[]
  readonly words: string
}

export const GO_KEY = 'g'

export const goPlaces: readonly { readonly key: string; readonly href: string; readonly words: string }[] = [
  ...areas.map(({ key, href, word }) => ({ key, href, words: word })),
  { key: 'i', href: '/deposits/statements', words: 'Statements' },
]

export const frameKeys = {
  open: { keys: ['/'], words: 'Go to a page, or look something up; also Ctrl K or ⌘ K' },
  list: { keys: ['?'], words: 'This list' },
} as const satisfies Record<string, KeyLine>
