import { approvalWords } from '#components/command/approval-words.ts'
import { conditionWords } from '#lib/commands/policy/limit-words.ts'
import { config } from '#lib/config/config.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

/** Which changes of a kind need the approval of others, told where they begin; nothing where none does. */
export function ApprovalNote({ kind }: { kind: CommandKindName }) {
  const rules = config().policy.rules.filter((rule) => rule.kind === kind)
  const sentences = rules.flatMap(({ when, limit, approval }) =>
    approval === undefined
      ? []
      : [
          approvalWords({
            by: approval.by,
            administers: false,
            rules: [{ of: conditionWords({ when }), beyondLimit: limit !== undefined }],
          }),
        ],
  )
  for (const { when, passkey } of rules) {
    const of = conditionWords({ when })
    if (passkey) sentences.push(of === '' ? 'This takes your passkey.' : `A change ${of} takes your passkey.`)
  }
  return sentences.length === 0 ? null : <span className="block">{sentences.join(' ')}</span>
}
