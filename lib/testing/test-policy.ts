import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { type Policy, readPolicy } from '#lib/config/policy.ts'

/** Gives this process a policy, as a start with such a file would; until the next fresh console. */
export const underPolicy = (...rules: readonly unknown[]): Policy => underPolicyText(JSON.stringify({ rules }))

export function underPolicyText(text: string): Policy {
  const policy = readPolicy(text)
  if ('faults' in policy) throw new Error(policy.faults.join('\n'))
  putPerProcess('config', { ...config(), policy })
  return policy
}
