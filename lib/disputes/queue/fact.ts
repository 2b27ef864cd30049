/**
 * What is known of a case's transaction. `forbidden`: the person lacks the scope. `unread`: no usable answer came.
 * `readAt`: when, in milliseconds by the console's clock.
 */
export type TransactionFact =
  | { readonly kind: 'read'; readonly debit: string; readonly state: string; readonly readAt: number }
  | { readonly kind: 'not-visible'; readonly readAt: number }
  | { readonly kind: 'forbidden'; readonly scope: string | null; readonly readAt: number }
  | { readonly kind: 'unread' }

/** By reference. */
export type TransactionFacts = Readonly<Record<string, TransactionFact>>

/** What comes with a page: a fact that is not known yet follows in the same answer. */
export type ComingFacts = Readonly<Record<string, TransactionFact | Promise<TransactionFact>>>

/** Of two readings the later one; one that came to nothing takes the place of none. */
export function laterFact(
  one: TransactionFact | undefined,
  other: TransactionFact | undefined,
): TransactionFact | undefined {
  if (other === undefined || other.kind === 'unread') return one ?? other
  if (one === undefined || one.kind === 'unread') return other
  return one.readAt > other.readAt ? one : other
}
