import type { PolicyRule } from '#lib/config/policy.ts'
import type { Scope } from '#lib/contract/scopes.ts'

export interface ApprovalNeed {
  /** Number of approvers. */
  readonly by: number
  /** Scopes of each approver, in addition to the scope of the change. */
  readonly scopes: readonly Scope[]
  readonly passkey: boolean
  /** Each approver must be an administrator of this console. */
  readonly administers: boolean
}

/** Combines the requirements of several rules and of the kind. Null if none requires an approval. */
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
