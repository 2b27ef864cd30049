import 'server-only'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Kysely } from 'kysely'
import { type AnyFacts, commandNamed, type PolicyFlags } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import type { Policy, PolicyRule } from '#lib/config/policy.ts'
import { genuineBodies, wellFormed } from '#lib/journal/event.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isAmount } from '#lib/values/amount-text.ts'
import { Money } from '#lib/values/money.ts'

export interface PolicyInput {
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

const NO_FLAGS: PolicyFlags = { enteredByHand: false, foundInText: false, freedByHand: false }

/** An unreadable amount is null; rules treat it as high enough. */
export function policyInputOf({ kind, params, facts }: Pick<CommandRow, 'kind' | 'params' | 'facts'>) {
  const input = commandNamed(kind)?.policyInput?.(JSON.parse(params), JSON.parse(facts) as AnyFacts)
  const { amount, decision = null } = input ?? {}
  return { amount: amount !== undefined && isAmount(amount) ? amount : null, decision }
}

type Rules = Pick<Policy, 'rules'>

export async function readFlags(
  db: Kysely<Tables>,
  { kind, params }: Pick<CommandRow, 'kind' | 'params'>,
  { rules }: Rules = config().policy,
) {
  const isAsked = rules.some(
    ({ kind: one, when }) => one === kind && (when.enteredByHand || when.foundInText || when.freedByHand),
  )
  return isAsked ? ((await commandNamed(kind)?.policyFlags?.(db, JSON.parse(params))) ?? null) : null
}

/** Present marks and those of the draft: the tables may change in between. */
export async function flagsOf(
  db: Kysely<Tables>,
  row: Pick<CommandRow, 'id' | 'kind' | 'params'>,
  policy: Rules = config().policy,
): Promise<PolicyFlags> {
  const now = await readFlags(db, row, policy)
  if (now === null) return NO_FLAGS
  const [draft] = await genuineBodies(db, row.id)
  const then = (draft?.judged as { readonly marks?: PolicyFlags | null } | undefined)?.marks ?? NO_FLAGS
  return {
    enteredByHand: now.enteredByHand || then.enteredByHand,
    foundInText: now.foundInText || then.foundInText === true,
    freedByHand: now.freedByHand || then.freedByHand,
  }
}

/** An unknown amount counts as high enough. */
export function rulesOn(
  change: Pick<PolicyInput, 'kind' | 'amount' | 'decision'>,
  marks: PolicyFlags = NO_FLAGS,
  { rules }: Rules = config().policy,
): readonly PolicyRule[] {
  return rules.filter(({ kind, when }) => {
    if (kind !== change.kind) return false
    if (when.decision !== undefined && when.decision !== change.decision) return false
    for (const flag of ['enteredByHand', 'foundInText', 'freedByHand'] as const) {
      if (when[flag] && !marks[flag]) return false
    }
    return when.amountAtLeast === undefined || isAtLeast(change.amount, when.amountAtLeast)
  })
}

function isAtLeast(amount: string | null, least: string): boolean {
  const [value, bound] = [amount === null ? null : Money.fromWire(amount), Money.fromWire(least)]
  return value === null || bound === null || !bound.isMoreThan(value)
}

/** Parameters and facts never contain codes, card numbers or passwords. */
interface Effect {
  readonly id: string
  readonly kind: string
  readonly actor: string
  readonly params: string
  readonly facts: string
  readonly policy: string | null
  /** Null in commands of earlier builds. */
  readonly confirm_text: string | null
}

/** SHA-256 of the canonical JSON (RFC 8785) in hexadecimal. */
export function effectDigest({ id, kind, actor, params, facts, policy, confirm_text }: Effect): string {
  const effect = {
    id,
    kind,
    actor,
    params: JSON.parse(params, wellFormed) as unknown,
    facts: JSON.parse(facts, wellFormed) as unknown,
    policy,
    ...(confirm_text === null ? {} : { confirmText: sha256(JSON.parse(confirm_text, wellFormed)) }),
  }
  return sha256(effect)
}

/** Of the canonical JSON (RFC 8785), in hexadecimal. */
const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')
