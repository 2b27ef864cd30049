/** Ignores inherited names such as `constructor`. */
export const ownProperty = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const counts = new Intl.NumberFormat('en-US')

export const formatCount = (count: number): string => counts.format(count)

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export type Meaning = 'good' | 'working' | 'attention' | 'danger' | 'unknown' | 'neutral'

export interface StateWords {
  readonly word: string
  readonly meaning: Meaning
  readonly sentence: string
}

export const unknownStateWords = (state: string): StateWords => ({
  word: state,
  meaning: 'neutral',
  sentence: 'This console does not know this state.',
})

const words = {
  transactionType: {
    P2P: 'Transfer',
    DEPOSIT: 'Deposit',
    WITHDRAWAL: 'Withdrawal',
    PURCHASE: 'Purchase',
    REVERSAL: 'Reversal',
  },
  role: {
    SUPPORT: 'Support operator',
    DISPUTE_ADMIN: 'Dispute arbitrator',
    ADMIN: 'Administrator',
    VIEWER: 'Viewer',
    HOLDER: 'Wallet holder',
  },
  scope: {
    'core:transactions:create': 'Announce deposits',
    'core:transactions:confirm': 'Confirm deposits',
    'core:transactions:read': 'Read transactions',
    'core:cards:read': 'Read own cards',
    'core:cards:create': 'Issue cards',
    'core:cards:activate': 'Activate cards',
    'core:cards:freeze': 'Freeze and unfreeze cards',
    'core:cards:limits': 'Change the limits of cards',
    'core:cards:manage': 'Block cards',
    'core:disputes:read': 'Read dispute cases',
    'core:disputes:message': 'Write in dispute cases',
    'core:disputes:resolve': 'Resolve disputes',
    'core:merchant_terminals:read': 'Read terminals',
    'core:merchant_terminals:create': 'Register terminals',
    'core:merchant_terminals:disable': 'Disable terminals',
  },
  resolutionOutcome: { REFUNDED: 'Sender refunded', RELEASED: 'Released to the recipient' },
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type ServiceNameOf = keyof typeof words

/** Null for an unknown name, which is shown as it is. */
export function serviceWord(of: ServiceNameOf, name: string): string | null {
  const known: Readonly<Record<string, string>> = words[of]
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null
}
