import { expect, test } from 'vitest'
import { type AnyKind, isCommand } from '#lib/commands/kind.ts'
import { type CommandKindName, commandKinds } from '#lib/kind-names.ts'
import { kinds } from '#lib/kinds.ts'

const kindOf = (name: CommandKindName): AnyKind => kinds[name]

test.each(commandKinds)('%s agrees with its row in the table', (name) => {
  const kind = kindOf(name)
  expect(kind.kind).toBe(name)
  const { amount = false, decision = false } = kind.policy ?? {}
  const input = isCommand(kind) ? kind.policyInput : undefined
  expect(input !== undefined).toBe(amount)
  expect(isCommand(kind) && kind.acknowledgedFacts !== undefined).toBe(kind.policy?.messages === true)
  if (decision) expect(input?.({ decision: 'refund' }, { decision: 'refund' })).toMatchObject({ decision: 'refund' })
})

test.each(commandKinds)('the policy can judge %s exactly if it is drafted', (name) => {
  const kind = kindOf(name)
  const isDrafted = isCommand(kind) && ('send' in kind || !kind.immediate)
  // These need a second factor of their own under any policy.
  const hasOwnFactor = /^(totp|passkey)\./.test(name)
  expect(kind.policy !== undefined).toBe(isDrafted && !hasOwnFactor)
})

test('settling by hand is a kind that the policy can judge', () => {
  const settledAs = commandKinds.map(kindOf).flatMap((kind) => ('send' in kind ? (kind.settledAs ?? []) : []))
  expect([...new Set(settledAs)]).toEqual(['deposit.settle', 'dispute.settle'])
  for (const name of settledAs) expect(kindOf(name).policy?.approvable).toBe(true)
})
