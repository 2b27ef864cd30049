/** `forbidden`: lacks the scope. `unread`: no usable answer. `readAt`: ms, the console's clock. */
export type TransactionFact =
  | { readonly kind: 'read'; readonly debit: string; readonly state: string; readonly readAt: number }
  | { readonly kind: 'not-visible'; readonly readAt: number }
  | { readonly kind: 'forbidden'; readonly scope: string | null; readonly readAt: number }
  | { readonly kind: 'unread' }

export type TransactionFacts = Readonly<Record<string, TransactionFact>>

/** Promises are streamed in the same response. */
export type ComingFacts = Readonly<Record<string, TransactionFact | Promise<TransactionFact>>>

/** A failed read never replaces a known fact. */
export function laterFact(
  one: TransactionFact | undefined,
  other: TransactionFact | undefined,
): TransactionFact | undefined {
  if (other === undefined || other.kind === 'unread') return one ?? other
  if (one === undefined || one.kind === 'unread') return other
  return one.readAt > other.readAt ? one : other
}
