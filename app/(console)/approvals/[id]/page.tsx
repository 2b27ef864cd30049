import { notFound } from 'next/navigation'
import { Suspense } from 'react'
import { ChangedLines, Lines } from '#components/command/lines.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { kindWords } from '#lib/activity/kind-words.ts'
import { type ApprovalView, readApproval, readFactsNow } from '#lib/commands/approvals/approval-view.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { own } from '#lib/values/own.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { ApprovalDecision } from './approval-decision.tsx'

type Params = Promise<{ id: string }>

/** A change that waits for approval: all that it does, what it was prepared on and what is so now, and who wants it why. */
export default async function ApprovalPage({ params }: { params: Params }) {
  const session = await requireSession()
  const approval = await readApproval(session, (await params).id)
  if (approval === null) notFound()
  return (
    <>
      <PageHead title={approval.command.title} tab="Approval" lead="Check every line. This is exactly what is sent." />
      <div className="grid items-start gap-4 wide:grid-cols-2">
        <Panel title="What it does">
          <Lines lines={approval.lines} />
          <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">{approval.consequence}</p>
          <Facts className="border-t">
            <Fact label="Effect">
              <Reference value={approval.effect} name="Digest of the effect" />
            </Fact>
          </Facts>
        </Panel>
        <div className="grid gap-4">
          <Author approval={approval} />
          <Suspense fallback={<PanelOutline title="What it was prepared on" lines={approval.facts.length} />}>
            <FactsThenAndNow session={session} approval={approval} />
          </Suspense>
        </div>
      </div>
    </>
  )
}

/** Who wants it, why, and what else they have sent lately. */
const Author = ({ approval: { command, request, moved } }: { approval: ApprovalView }) => (
  <Panel title="Who wants it">
    <Facts>
      <Fact label="By">{command.actorName}</Fact>
      <Fact label="Wanted because">{visibleText(request.reason)}</Fact>
      <Fact label="Asked">
        <Timestamp value={request.askedAt} />
      </Fact>
      <Fact label="Can be sent until">
        <Timestamp value={request.expiresAt} />
      </Fact>
      <Fact label="Sent by them in 24 hours">{moved.length === 0 ? 'nothing' : null}</Fact>
      {moved.map(({ kind, count, sum }) => (
        <Fact key={kind} label={own(kindWords, kind) ?? kind}>
          <span className="figures">
            {count.toLocaleString('en-US')}
            {sum === null ? null : `, ${shownAmount(sum)} BZD`}
          </span>
        </Fact>
      ))}
    </Facts>
  </Panel>
)

/** What is so now is read with the reader's own rights; a decision waits for it. */
async function FactsThenAndNow({ session, approval }: { session: Session; approval: ApprovalView }) {
  const { command, effect, facts, whyNot } = approval
  const now = await readFactsNow(session, command.id)
  if (now === null) notFound()
  const moved = now.ok && now.moved
  return (
    <>
      <Panel
        title="What it was prepared on"
        meaning={moved ? 'attention' : 'neutral'}
        aside={<span className="text-muted-foreground text-sm">{asideWords(now.ok, moved)}</span>}
      >
        {moved ? <ChangedLines before={facts} now={now.lines} /> : <Lines lines={facts} />}
      </Panel>
      {now.ok ? null : <ProblemPanel problem={now.problem} />}
      <ApprovalDecision command={command} effect={effect} whyNot={whyNot ?? notNow(now.ok, moved)} />
    </>
  )
}

function asideWords(read: boolean, moved: boolean): string {
  if (!read) return 'as its author saw it'
  return moved ? 'changed since' : 'still so'
}

function notNow(read: boolean, moved: boolean): string | null {
  if (!read) return 'What is so now could not be read. Reload the page in a moment.'
  return moved
    ? 'It has changed since it was prepared, so it cannot be sent any more: its author prepares it anew.'
    : null
}
