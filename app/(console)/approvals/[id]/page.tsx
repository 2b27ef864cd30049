import { notFound, redirect } from 'next/navigation'
import { type ReactNode, Suspense } from 'react'
import { ChangedLines, Lines } from '#components/command/lines.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import { type ApprovalView, readApproval, readFactsNow } from '#lib/commands/policy/approval-view.ts'
import { changesWords } from '#lib/commands/policy/rule-words.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { ownProperty } from '#lib/values/words.ts'
import { ApprovalDecision } from './approval-decision.tsx'

export default async function ApprovalPage({ params }: { params: Promise<{ id: string }> }) {
  const session = await requireSession()
  const { id } = await params
  const approval = await readApproval(session, id)
  if (approval === null) notFound()
  if (approval === 'not-asked') redirect(`/activity/${encodeURIComponent(id)}`)
  return (
    <>
      <PageHead title={approval.command.title} tab="Approval" lead="This is what will be sent once approved." />
      <Suspense fallback={<Both approval={approval} facts={<PanelOutline title={PREPARED_ON} lines={4} />} />}>
        <WithFactsNow session={session} approval={approval} />
      </Suspense>
    </>
  )
}

const PREPARED_ON = 'Checked when requested'

interface BothProps {
  approval: ApprovalView
  facts: ReactNode
  /** Rendered only once the current facts are known, so that no one decides on old ones. */
  decision?: ReactNode
}

const Both = ({ approval, facts, decision }: BothProps) => (
  <div className="grid items-start gap-4 wide:grid-cols-2">
    <div className="grid gap-4">
      <Panel title="What is sent">
        <Lines lines={approval.lines} />
        <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">{approval.consequence}</p>
        <Facts className="border-t">
          <ReferenceFact label="Fingerprint" value={approval.effect} name="fingerprint" />
        </Facts>
      </Panel>
      {facts}
    </div>
    <div className="grid gap-4">
      <Author approval={approval} />
      {decision}
    </div>
  </div>
)

const Author = ({ approval: { command, request, moved } }: { approval: ApprovalView }) => (
  <Panel title="Request">
    <Facts>
      <Fact label="By">{command.actorName}</Fact>
      <Fact label="Reason">{visibleText(request.reason)}</Fact>
      <TimeFact label="Requested" value={request.askedAt} />
      <TimeFact label="Expires" value={request.expiresAt} />
    </Facts>
    <Facts className="border-t">
      {moved.length === 0 ? <Fact label="Sent in the last 24 hours">nothing</Fact> : null}
      {moved.map(({ kind, count, sum }) => (
        <Fact key={kind} label={`${ownProperty(kindWords, kind) ?? kind}, in 24 hours`}>
          <span className="figures">
            {changesWords(count)}
            {sum === null ? null : `, ${shownAmount(sum)} BZD`}
          </span>
        </Fact>
      ))}
    </Facts>
  </Panel>
)

/** The current facts are read with the approver's own scopes. */
async function WithFactsNow({ session, approval }: { session: Session; approval: ApprovalView }) {
  const { command, effect, facts, whyNot } = approval
  // Once the change was sent or has ended, current facts may include its effect, so the stored ones are shown.
  const waits = command.outcome.class === 'approval'
  const now = waits ? await readFactsNow(session, command.id) : ({ ok: true, lines: facts, moved: false } as const)
  if (now === null) notFound()
  const moved = now.ok && now.moved
  return (
    <Both
      approval={approval}
      facts={
        <Panel
          title={PREPARED_ON}
          meaning={moved ? 'attention' : 'neutral'}
          aside={<span className="text-muted-foreground text-sm">{asideWords(now.ok && waits, moved)}</span>}
        >
          {now.ok ? null : <ProblemPanel problem={now.problem} />}
          {moved ? <ChangedLines before={facts} now={now.lines} earlier="When requested" /> : <Lines lines={facts} />}
        </Panel>
      }
      decision={
        <ApprovalDecision
          command={command}
          effect={effect}
          whyNot={whyNot ?? notNow(now.ok, moved)}
          passkey={approval.request.passkey}
        />
      }
    />
  )
}

function asideWords(read: boolean, moved: boolean): string {
  if (!read) return 'as the requester saw it'
  return moved ? 'changed since' : 'unchanged'
}

function notNow(read: boolean, moved: boolean): string | null {
  if (!read) return 'The current data could not be read. Reload the page in a moment.'
  return moved ? 'The data has changed. This request can no longer be approved.' : null
}
