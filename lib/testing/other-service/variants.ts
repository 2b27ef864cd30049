/** What the interface leaves to the service, as this one does it. A test chooses. */
export interface Variant {
  /** How it writes UUIDs, whatever was written to it. */
  readonly ids: 'upper' | 'lower'
  /** Whether every object of every answer carries fields that the interface does not name. */
  readonly unknownFields: boolean
  readonly codeDigits: 6 | 8
  /** What confirming a deposit answers, and what becomes of the deposit: it is minted at PROCESSING, and only then. */
  readonly confirming: { readonly status: 200 | 202; readonly becomes: 'PENDING' | 'PROCESSING' | 'BLOCKED' | 'FAIL' }
  /** Where the answer of a refund has the reference of the reversing transaction. */
  readonly resolveAnswer: 'odd-name' | 'nested' | 'text' | 'none' | 'operation'
  /** Who the reversing transaction is from, and whether the fee comes back. */
  readonly refund: 'from-recipient' | 'from-escrow' | 'without-fee'
  readonly messages: 'newest' | 'oldest' | 'moving'
  /** Whether it keeps texts as they came, or with single spaces and, where they are a terminal's UID, in capitals. */
  readonly texts: 'kept' | 'tidied'
}

export const otherVariant: Variant = {
  ids: 'upper',
  unknownFields: true,
  codeDigits: 8,
  confirming: { status: 200, becomes: 'PROCESSING' },
  resolveAnswer: 'odd-name',
  refund: 'from-recipient',
  messages: 'newest',
  texts: 'kept',
}

/** How far its clock is ahead: of its `Date`, and of every time that it writes. */
export const CLOCK_AHEAD_MS = 61_000

/** Its own words where the interface gives none. */
export const words = {
  deposit: 'DPST',
  payment: '7',
  reversal: '12',
  refunded: 'RELEASED_TO_SENDER',
  released: 'NO_REFUND',
  refusal: 'zz::no',
} as const
