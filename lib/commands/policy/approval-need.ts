import type { PolicyRule } from '#lib/config/policy.ts'
import type { Scope } from '#lib/contract/scopes.ts'

/** The approval that a change may go out with. */
export interface ApprovalNeed {
  /** How many other people. */
  readonly by: number
  /** What each of them must hold beside the scope of the change. */
  readonly scopes: readonly Scope[]
}

/** All that several rules ask for: rules add up. Null where none asks for an approval. */
export function needOf(rules: readonly Pick<PolicyRule, 'approval'>[]): ApprovalNeed | null {
  const asked = rules.flatMap(({ approval }) => approval ?? [])
  if (asked.length === 0) return null
  const scopes = new Set(asked.flatMap(({ scope }) => scope ?? []))
  return { by: Math.max(...asked.map(({ by }) => by)), scopes: [...scopes].sort() }
}
