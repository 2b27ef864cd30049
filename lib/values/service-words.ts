/** The console's words for names that the service gives and the interface leaves open. What is not listed has none. */
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
  },
  resolutionOutcome: {
    REFUNDED: 'Sender refunded',
    RELEASED: 'Released to the recipient',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>

/** What a name of the service is a name of, as its fields are called. */
export type ServiceNameOf = keyof typeof words

/** The word for a name of the service; `null` for one that is not known, which is shown as it came. */
export function serviceWord(of: ServiceNameOf, name: string): string | null {
  const known: Readonly<Record<string, string>> = words[of]
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null
}
