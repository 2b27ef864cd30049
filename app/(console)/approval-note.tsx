import { ruleSentence } from '#lib/commands/policy/rule-words.ts'
import { config } from '#lib/config/config.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

export function ApprovalNote({ kind }: { kind: CommandKindName }) {
  const rules = config().policy.rules.filter(
    (rule) => rule.kind === kind && (rule.approval !== undefined || rule.passkey === true),
  )
  return rules.length === 0 ? null : <span className="block">{rules.map((rule) => ruleSentence(rule)).join(' ')}</span>
}
