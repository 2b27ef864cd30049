import { usedWords } from '#components/command/limit-words.ts'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import { limitUse } from '#lib/commands/policy/limit-use.ts'
import { conditionWords, limitWords } from '#lib/commands/policy/limit-words.ts'
import { config } from '#lib/config/config.ts'
import { requireSession } from '#lib/session/current.ts'
import { store } from '#lib/store/store.ts'

/** What this deployment asks of changes beyond what the service does: for everybody to read, for nobody to edit. */
export default async function PolicyPage() {
  const session = await requireSession()
  const { rules, version } = config().policy
  const uses = await limitUse(await store(), session.actor)
  return (
    <>
      <PageHead title="Policy" lead="What this console asks of changes, beyond what the service does." />
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
        <Panel title="Limits" aside={<span className="text-muted-foreground text-sm">per person, in 24 hours</span>}>
          {rules.length === 0 ? (
            <p className="px-3.5 py-4 text-secondary-foreground text-sm">
              There is none: what the service lets somebody do, this console does.
            </p>
          ) : (
            <ol className="divide-y text-sm">
              {rules.map((rule, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same, and none moves
                <li key={at} className="grid gap-1 px-3.5 py-3">
                  <span className="font-[550]">{`${kindWords[rule.kind]} ${conditionWords(rule)}`}</span>
                  <span>At most {limitWords(rule)} per person in 24 hours. What goes beyond is not sent.</span>
                  <span className="figures text-secondary-foreground">You: {uses.map(usedWords)[at]}.</span>
                </li>
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
