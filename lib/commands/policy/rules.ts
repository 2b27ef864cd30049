import 'server-only'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import { Money } from '#lib/values/money.ts'

/** What rules judge a change by. */
export interface Judged {
  readonly id: string
  /** Whose limits they are: an actor is a person, however they signed in. */
  readonly actor: string
  readonly kind: string
  /** Decimal text; null where it is not known, or the kind has none. */
  readonly amount: string | null
  readonly decision: string | null
}

export type LimitRule = PolicyRule & { readonly limit: NonNullable<PolicyRule['limit']> }

export const hasLimit = (rule: PolicyRule): rule is LimitRule => rule.limit !== undefined

/** All rules with a limit, in the policy's order. */
export const limitRules = (): readonly LimitRule[] => config().policy.rules.filter(hasLimit)

/** The rules that are about a change. One whose amount is not known is judged as if it were high enough. */
export function rulesOn(change: Pick<Judged, 'kind' | 'amount' | 'decision'>): readonly PolicyRule[] {
  return config().policy.rules.filter(({ kind, when }) => {
    if (kind !== change.kind) return false
    if (when.decision !== undefined && when.decision !== change.decision) return false
    return when.amountAtLeast === undefined || isAtLeast(change.amount, when.amountAtLeast)
  })
}

function isAtLeast(amount: string | null, least: string): boolean {
  const [given, bound] = [amount === null ? null : Money.fromWire(amount), Money.fromWire(least)]
  return given === null || bound === null || !bound.isMoreThan(given)
}
