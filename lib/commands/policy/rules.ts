import 'server-only'
import type { Kysely } from 'kysely'
import type { AnyFacts } from '#lib/commands/command-kind.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { genuineBodies } from '#lib/commands/genuine-events.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isAmount } from '#lib/values/amount-text.ts'
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

/**
 * What rules judge a change by, from what it sends and was prepared on. An amount that cannot be read is not known, and is
 * judged as if it were high enough.
 */
export function judgedBy({ kind, params, facts }: Pick<CommandRow, 'kind' | 'params' | 'facts'>) {
  const judged = kindNamed(kind)?.judgedBy?.(JSON.parse(params), JSON.parse(facts) as AnyFacts)
  const { amount, decision = null } = judged ?? {}
  return { amount: amount !== undefined && isAmount(amount) ? amount : null, decision }
}

/** The marks of a change as its tables have them now; null where no rule of its kind asks for any. */
export async function readMarks(db: Kysely<Tables>, { kind, params }: Pick<CommandRow, 'kind' | 'params'>) {
  const isAsked = config().policy.rules.some(
    (rule) => rule.kind === kind && (rule.when.enteredByHand || rule.when.freedByHand),
  )
  return isAsked ? ((await kindNamed(kind)?.marks?.(db, JSON.parse(params))) ?? null) : null
}

/** Those that a stored change has now, and had when it was prepared: its tables may have been changed since. */
export async function marksOf(db: Kysely<Tables>, row: Pick<CommandRow, 'id' | 'kind' | 'params'>): Promise<Marks> {
  const now = await readMarks(db, row)
  if (now === null) return NO_MARKS
  const [draft] = await genuineBodies(db, row.id)
  const then = (draft?.judged as { readonly marks?: Marks | null } | undefined)?.marks ?? NO_MARKS
  return {
    enteredByHand: now.enteredByHand || then.enteredByHand,
    freedByHand: now.freedByHand || then.freedByHand,
  }
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
