import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { permits } from '#lib/authorization/judge.ts'
import type { LimitUse } from '#lib/commands/command.ts'
import { limitUse } from '#lib/commands/policy/gate.ts'
import { hasLimit } from '#lib/commands/policy/limits.ts'
import { ruleSentence, usedWords } from '#lib/commands/policy/rule-words.ts'
import { config } from '#lib/config/config.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

export default async function PolicyPage() {
  const session = await requireSession()
  const { rules, version, approvalHours } = config().policy
  const uses = usesOf(rules, await limitUse(await store(), session.actor))
  return (
    <>
      <PageHead
        title="Policy"
        lead="Extra rules this console enforces."
        action={
          <Suspense fallback={null}>
            <RehearsalLink session={session} />
          </Suspense>
        }
      />
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
        <Panel title="Rules">
          {rules.length === 0 ? (
            <p className="px-3.5 py-4 text-secondary-foreground text-sm">No policy configured.</p>
          ) : (
            <ol className="divide-y text-sm">
              {rules.map((rule, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same, and none moves
                <RuleItem key={at} rule={rule} use={uses[at] ?? null} />
              ))}
            </ol>
          )}
        </Panel>
        <Panel title="How rules apply">
          <div className="grid gap-2 px-3.5 pt-3 text-secondary-foreground text-sm">
            <p>
              A limit counts what one person sent in the last 24 hours, however they signed in. Failed changes don’t
              count; uncertain ones do. A change whose amount is not known counts as large enough for every rule.
            </p>
            <p>
              Its author, its parties and people who entered its data cannot approve a change. Others approve exactly
              what is sent. The author sends it within {approvalHours} {approvalHours === 1 ? 'hour' : 'hours'} of the
              request. Where several rules apply, the highest number of approvals counts.
            </p>
            <p>
              Rules are checked when you send. A change that was prepared under another policy is not sent: prepare it
              again.
            </p>
            <p>The policy is a file of the deployment, read when the console starts. It cannot be changed here.</p>
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

const RehearsalLink = async ({ session }: { session: Session }) =>
  (await permits(session, 'policyRehearsal.read')) ? (
    <ButtonLink href="/security/policy/rehearsal" variant="outline">
      Rehearse a policy
    </ButtonLink>
  ) : null

const RuleItem = ({ rule, use }: { rule: PolicyRule; use: LimitUse | null }) => (
  <li className="grid gap-1 px-3.5 py-3">
    <span>{ruleSentence(rule, 'the author’s')}</span>
    {use === null ? null : <span className="figures text-secondary-foreground">You: {usedWords(use)}.</span>}
  </li>
)

/** `uses`: of the rules with a limit, in order. */
function usesOf(rules: readonly PolicyRule[], uses: readonly LimitUse[]): readonly (LimitUse | null)[] {
  const left = [...uses]
  return rules.map((rule) => (hasLimit(rule) ? (left.shift() ?? null) : null))
}
