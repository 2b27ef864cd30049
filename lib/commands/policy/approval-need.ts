import type { PolicyRule } from '#lib/config/policy.ts'
import type { Scope } from '#lib/contract/scopes.ts'

/** The approval that a change may go out with. */
export interface ApprovalNeed {
  /** How many other people. */
  readonly by: number
  /** What each of them must hold beside the scope of the change. */
  readonly scopes: readonly Scope[]
  /** Each of them must be there with a passkey. */
  readonly passkey: boolean
  /** Each of them must administer this console. */
  readonly administers: boolean
}

/** All that several rules ask for, and what the kind itself does: they add up. Null where none asks for an approval. */
export function needOf(
  rules: readonly Pick<PolicyRule, 'approval'>[],
  own: ApprovalNeed | null = null,
): ApprovalNeed | null {
  const asked = rules.flatMap(({ approval }) => approval ?? [])
  if (asked.length === 0) return own
  const scopes = new Set([...asked.flatMap(({ scope }) => scope ?? []), ...(own?.scopes ?? [])])
  return {
    by: Math.max(own?.by ?? 1, ...asked.map(({ by }) => by)),
    scopes: [...scopes].sort(),
    passkey: own?.passkey === true || asked.some(({ passkey }) => passkey === true),
    administers: own?.administers === true,
  }
}
