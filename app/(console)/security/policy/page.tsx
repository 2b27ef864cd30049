import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { LimitUse } from '#lib/commands/command.ts'
import { limitUse } from '#lib/commands/policy/limit-use.ts'
import { hasLimit } from '#lib/commands/policy/rules.ts'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import { requireSession } from '#lib/session/current.ts'
import { store } from '#lib/store/store.ts'
import { RuleItem } from './rule-item.tsx'

/** What this deployment asks of changes beyond what the service does: for everybody to read, for nobody to edit. */
export default async function PolicyPage() {
  const session = await requireSession()
  const { rules, version, approvalHours } = config().policy
  const uses = usesOf(rules, await limitUse(await store(), session.actor))
  return (
    <>
      <PageHead title="Policy" lead="What this console asks of changes, beyond what the service does." />
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
        <Panel
          title="Rules"
          aside={<span className="text-muted-foreground text-sm">limits are per person, in 24 hours</span>}
        >
          {rules.length === 0 ? (
            <p className="px-3.5 py-4 text-secondary-foreground text-sm">
              There is none: what the service lets somebody do, this console does.
            </p>
          ) : (
            <ol className="divide-y text-sm">
              {rules.map((rule, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same, and none moves
                <RuleItem key={at} rule={rule} use={uses[at] ?? null} />
              ))}
            </ol>
          )}
        </Panel>
        <Panel title="How it is judged">
          <div className="grid gap-2 px-3.5 pt-3 text-secondary-foreground text-sm">
            <p>
              A limit counts what a person has sent, however they signed in, for 24 hours. What is known to have had no
              effect does not count; what may have had one does.
            </p>
            <p>
              An approval is of other people than who makes the change: none of them is a party of it, or has entered
              what it is made of. They approve exactly what is sent. Once approved, its author sends it, within{' '}
              {approvalHours} hours after they asked.
            </p>
            <p>
              It is judged in the moment of sending. A change that was prepared under another policy is not sent, and is
              prepared anew.
            </p>
            <p>The policy is a file of the deployment, read when the console starts. Nobody changes it here.</p>
          </div>
          <Facts>
            <Fact label="Version">
              {version === null ? 'no policy' : <Reference value={version} name="Version of the policy" />}
            </Fact>
          </Facts>
        </Panel>
      </div>
    </>
  )
}

/** What the person has used of each rule's limit; null where it has none. */
function usesOf(rules: readonly PolicyRule[], uses: readonly LimitUse[]): readonly (LimitUse | null)[] {
  const left = [...uses]
  return rules.map((rule) => (hasLimit(rule) ? (left.shift() ?? null) : null))
}
