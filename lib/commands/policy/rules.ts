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

export interface Judged {
  readonly id: string
  /** One person, however they signed in. */
  readonly actor: string
  readonly kind: string
  /** Decimal text; null if unknown. */
  readonly amount: string | null
  readonly decision: string | null
}

export type LimitRule = PolicyRule & { readonly limit: NonNullable<PolicyRule['limit']> }

export const hasLimit = (rule: PolicyRule): rule is LimitRule => rule.limit !== undefined

export const limitRules = (): readonly LimitRule[] => config().policy.rules.filter(hasLimit)

export interface Marks {
  /** A person entered or accepted the reference on the statement line. */
  readonly enteredByHand: boolean
  /** A person freed the bank reference of another confirmation. */
  readonly freedByHand: boolean
}

const NO_MARKS: Marks = { enteredByHand: false, freedByHand: false }

/** An unreadable amount is null; rules treat it as high enough. */
export function judgedBy({ kind, params, facts }: Pick<CommandRow, 'kind' | 'params' | 'facts'>) {
  const judged = kindNamed(kind)?.judgedBy?.(JSON.parse(params), JSON.parse(facts) as AnyFacts)
  const { amount, decision = null } = judged ?? {}
  return { amount: amount !== undefined && isAmount(amount) ? amount : null, decision }
}

export async function readMarks(db: Kysely<Tables>, { kind, params }: Pick<CommandRow, 'kind' | 'params'>) {
  const isAsked = config().policy.rules.some(
    (rule) => rule.kind === kind && (rule.when.enteredByHand || rule.when.freedByHand),
  )
  return isAsked ? ((await kindNamed(kind)?.marks?.(db, JSON.parse(params))) ?? null) : null
}

/** Present marks and those of the draft: the tables may change in between. */
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

/** An unknown amount counts as high enough. */
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
