import { notFound, redirect } from 'next/navigation'
import { type ReactNode, Suspense } from 'react'
import { ChangedLines, Lines } from '#components/command/lines.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { requestsWanted } from '#lib/activity/approval-file.ts'
import { type ApprovalFilter, approvalQuery, readApprovalFilter } from '#lib/activity/approval-filter.ts'
import { placeOf } from '#lib/activity/command-place.ts'
import { kindWords } from '#lib/activity/kind-words.ts'
import { nextRequest } from '#lib/commands/policy/approval-list.ts'
import { type ApprovalView, readApproval, readBackground, readFactsNow } from '#lib/commands/policy/approval-view.ts'
import { changesWords } from '#lib/commands/policy/rule-words.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { ownProperty } from '#lib/values/words.ts'
import { PlaceLink } from '../../activity/record.tsx'
import { ApprovalDecision, type PasskeyOfDecision } from './approval-decision.tsx'

interface ApprovalPageProps {
  params: Promise<{ id: string }>
  /** The filter of the list that the page was opened from. */
  searchParams: Promise<SearchParams>
}

export default async function ApprovalPage({ params, searchParams }: ApprovalPageProps) {
  const session = await requireSession()
  const { id } = await params
  const approval = await readApproval(session, id)
  if (approval === null) notFound()
  if (approval === 'not-asked') redirect(`/activity/${encodeURIComponent(id)}`)
  const { filter } = readApprovalFilter(queryOf(await searchParams))
  return (
    <>
      <PageHead
        title={approval.command.title}
        tab="Approval"
        lead="This is what will be sent once approved."
        action={
          <div className="flex flex-wrap gap-2">
            <PlaceLink place={placeOf(approval.command)} />
            <ButtonLink href={`/approvals${queryWords(filter)}`} variant="ghost">
              All approvals
            </ButtonLink>
          </div>
        }
      />
      <Suspense fallback={<Parts approval={approval} facts={<PanelOutline title={PREPARED_ON} lines={4} />} />}>
        <WithFactsNow session={session} approval={approval} filter={filter} />
      </Suspense>
    </>
  )
}

const PREPARED_ON = 'Checked when requested'

interface PartsProps {
  approval: ApprovalView
  facts: ReactNode
  /** Rendered only once the current facts are known, so that no one decides on old ones. */
  decision?: ReactNode
}

const Parts = ({ approval, facts, decision }: PartsProps) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(300px,392px)] lg:grid-rows-[auto_1fr]">
    <Panel title="What is sent">
      <Lines lines={approval.lines} linked />
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">{approval.consequence}</p>
    </Panel>
    <div className="grid gap-4 lg:row-span-2">
      {decision}
      <Request approval={approval} />
    </div>
    {facts}
  </div>
)

const Request = ({ approval: { command, effect, request, need, given, moved } }: { approval: ApprovalView }) => (
  <Panel
    title="Request"
    aside={
      <span className="figures text-muted-foreground text-sm">
        {given} of {request.by} approved
      </span>
    }
  >
    <Facts>
      <Fact label="By">{command.actorName}</Fact>
      <Fact label="Reason">{visibleText(request.reason)}</Fact>
      <TimeFact label="Requested" value={request.askedAt} />
      <TimeFact label="Expires" value={request.expiresAt} />
      <ReferenceFact label="Fingerprint" value={effect} name="fingerprint" />
    </Facts>
    <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
      {need} Its author and its parties cannot.
    </p>
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

interface WithFactsNowProps {
  session: Session
  approval: ApprovalView
  filter: ApprovalFilter
}

/** The current facts are read with the approver's own scopes. */
async function WithFactsNow({ session, approval, filter }: WithFactsNowProps) {
  const { command, effect, facts, whyNot } = approval
  // Once the change was sent or has ended, current facts may include its effect, so the stored ones are shown.
  const waits = command.outcome.class === 'approval'
  const [now, background] = await Promise.all([
    waits ? readFactsNow(session, command.id) : ({ ok: true, lines: facts, moved: 'same', news: null } as const),
    waits ? readBackground(session, command.id) : [],
  ])
  if (now === null) notFound()
  const moved = now.ok ? now.moved : 'same'
  const why = whyNot ?? notNow(now.ok, moved === 'void')
  return (
    <Parts
      approval={approval}
      facts={
        <Panel
          title={PREPARED_ON}
          meaning={moved === 'same' ? 'neutral' : 'attention'}
          aside={<span className="text-muted-foreground text-sm">{asideWords(now.ok && waits, moved !== 'same')}</span>}
        >
          {now.ok ? null : <ProblemPanel problem={now.problem} />}
          {now.ok && moved !== 'same' ? (
            <ChangedLines before={facts} now={now.lines} earlier="When requested" />
          ) : (
            <Lines lines={facts} linked />
          )}
          {background === null ? (
            <p className="border-t px-3.5 py-2.5 text-attention text-sm">
              The reason of the dispute could not be read.
            </p>
          ) : null}
          {background?.length ? <Lines lines={background} /> : null}
        </Panel>
      }
      decision={
        <>
          {now.ok && now.news !== null && moved === 'news' ? (
            <Panel title="New since the request" meaning="attention">
              <ChangedLines {...now.news} earlier="When requested" />
            </Panel>
          ) : null}
          <ApprovalDecision
            command={command}
            effect={effect}
            factsMark={now.ok ? (now.news?.mark ?? null) : null}
            whyNot={why}
            passkey={passkeyOf(approval)}
            {...(why === null || command.yours ? {} : { next: await nextToDecide(session, filter, command.id) })}
          />
        </>
      }
    />
  )
}

function passkeyOf({ request, hasPasskey }: ApprovalView): PasskeyOfDecision {
  if (!request.passkey) return 'not-needed'
  return hasPasskey ? 'needed' : 'missing'
}

function queryWords(filter: ApprovalFilter): string {
  const query = approvalQuery({ ...filter, view: 'waiting' }).toString()
  return query === '' ? '' : `?${query}`
}

const nextToDecide = async (session: Session, filter: ApprovalFilter, id: string) => ({
  request: await nextRequest(session, requestsWanted(session, filter), id),
  query: queryWords(filter),
})

function asideWords(read: boolean, moved: boolean): string {
  if (!read) return 'as the requester saw it'
  return moved ? 'changed since' : 'unchanged'
}

function notNow(read: boolean, moved: boolean): string | null {
  if (!read) return 'The current data could not be read. Reload the page in a moment.'
  return moved ? 'The data has changed. This request can no longer be approved.' : null
}
