import { usedWords } from '#components/command/limit-words.ts'
import { kindWords } from '#lib/activity/kind-words.ts'
import type { LimitUse } from '#lib/commands/command.ts'
import { conditionWords, limitWords } from '#lib/commands/policy/limit-words.ts'
import type { PolicyRule } from '#lib/config/policy.ts'

/** One rule of the policy in plain sentences, with what its reader has used of it. */
export const RuleItem = ({ rule, use }: { rule: PolicyRule; use: LimitUse | null }) => (
  <li className="grid gap-1 px-3.5 py-3">
    <span className="font-[550]">{`${kindWords[rule.kind]} ${conditionWords(rule)}`}</span>
    {rule.limit === undefined ? null : <span>At most {limitWords(rule.limit)} per person in 24 hours.</span>}
    {askedWords(rule).map((words) => (
      <span key={words}>{words}</span>
    ))}
    {use === null ? null : <span className="figures text-secondary-foreground">You: {usedWords(use)}.</span>}
  </li>
)

function askedWords({ limit, approval, passkey }: PolicyRule): readonly string[] {
  const ofAuthor = passkey ? ['Takes a passkey of who sends it, for exactly this change.'] : []
  if (approval === undefined) return limit === undefined ? ofAuthor : ['What goes beyond is not sent.']
  const { by, scope } = approval
  const people = by === 1 ? 'another person' : `${by} other people`
  const holding = scope === undefined ? '' : ` with the scope ${scope}`
  const there = approval.passkey ? ', each with a passkey' : ''
  return [
    `${limit === undefined ? 'Needs' : 'What goes beyond needs'} the approval of ${people}${holding}${there}.`,
    ...ofAuthor,
  ]
}
