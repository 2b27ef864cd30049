import 'server-only'
import type { Kysely } from 'kysely'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables } from '#lib/store/tables.ts'
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

/** What people have done by hand with what a change is made of. */
export interface Marks {
  /** A line of a statement names it by what somebody entered, or accepted. */
  readonly enteredByHand: boolean
  /** Its bank reference was another confirmation's, and somebody freed it. */
  readonly freedByHand: boolean
}

const NO_MARKS: Marks = { enteredByHand: false, freedByHand: false }

/** Of a stored change, as they are now; read only where a rule of its kind asks for them. */
export async function marksOf(db: Kysely<Tables>, row: Pick<CommandRow, 'kind' | 'params'>): Promise<Marks> {
  const asked = config().policy.rules.some(
    ({ kind, when }) => kind === row.kind && (when.enteredByHand || when.freedByHand),
  )
  const marks = asked ? await kindNamed(row.kind)?.marks?.(db, JSON.parse(row.params)) : undefined
  return marks ?? NO_MARKS
}

/** The rules that are about a change. One whose amount is not known is judged as if it were high enough. */
export function rulesOn(
  change: Pick<Judged, 'kind' | 'amount' | 'decision'>,
  marks: Marks = NO_MARKS,
): readonly PolicyRule[] {
  return config().policy.rules.filter(({ kind, when }) => {
    if (kind !== change.kind) return false
    if (when.decision !== undefined && when.decision !== change.decision) return false
    if ((when.enteredByHand && !marks.enteredByHand) || (when.freedByHand && !marks.freedByHand)) return false
    return when.amountAtLeast === undefined || isAtLeast(change.amount, when.amountAtLeast)
  })
}

function isAtLeast(amount: string | null, least: string): boolean {
  const [given, bound] = [amount === null ? null : Money.fromWire(amount), Money.fromWire(least)]
  return given === null || bound === null || !bound.isMoreThan(given)
}
