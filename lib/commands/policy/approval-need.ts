import type { PolicyRule } from '#lib/config/policy.ts'
import type { Scope } from '#lib/contract/scopes.ts'

export interface ApprovalNeed {
  readonly by: number
  /** In addition to the scope of the change. */
  readonly scopes: readonly Scope[]
  readonly passkey: boolean
  readonly administers: boolean
}

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
