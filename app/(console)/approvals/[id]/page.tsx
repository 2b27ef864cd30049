import { notFound, redirect } from 'next/navigation'
import { type ReactNode, Suspense } from 'react'
import { ChangedLines, Lines } from '#components/command/lines.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline, QuietLink } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { requestsWanted } from '#lib/activity/approval-file.ts'
import { type ApprovalFilter, approvalQuery, readApprovalFilter, statusWords } from '#lib/activity/approval-filter.ts'
import { placeOf } from '#lib/activity/command-place.ts'
import { kindWords } from '#lib/activity/kind-words.ts'
import type { RequestRow } from '#lib/commands/command.ts'
import { earlierRequests, nextRequest } from '#lib/commands/policy/approval-list.ts'
import { type ApprovalView, readApproval, readBackground, readFactsNow } from '#lib/commands/policy/approval-view.ts'
import type { Session } from '#lib/session/session.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, ownProperty } from '#lib/values/words.ts'
import { PlaceLink } from '../../activity/record.tsx'
import { accessPage, hiddenChange } from '../../page-reads.tsx'
import { ApprovalDecision, type PasskeyOfDecision } from './approval-decision.tsx'

const LEAD = 'This is what will be sent once approved.'

const head = { title: 'Approval', lead: LEAD }

export default accessPage({ head, panel: 'What is sent', entry: 'signed-in', read: readPage })

async function readPage(session: Session, query: URLSearchParams, { id }: { id: string }) {
  const approval = await readApproval(session, id)
  if (approval === null) return await hiddenChange(session)
  if (approval === 'not-asked') redirect(`/activity/${encodeURIComponent(id)}`)
  const { filter } = readApprovalFilter(query)
  const earlier = await earlierRequests(session, id)
  return (
    <>
      <PageHead
        title={approval.command.title}
        tab="Approval"
        lead={LEAD}
        action={
          <div className="flex flex-wrap gap-2">
            <PlaceLink place={placeOf(approval.command)} />
            <ButtonLink href={`/approvals${queryWords(filter)}`} variant="ghost">
              All approvals
            </ButtonLink>
          </div>
        }
      />
      <Suspense fallback={<Parts {...{ approval, earlier }} facts={<PanelOutline title={PREPARED_ON} lines={4} />} />}>
        <WithFactsNow session={session} approval={approval} earlier={earlier} filter={filter} />
      </Suspense>
    </>
  )
}

const PREPARED_ON = 'Checked when requested'

interface PartsProps {
  approval: ApprovalView
  earlier: readonly RequestRow[]
  facts: ReactNode
  /** Rendered only once the current facts are known, so that no one decides on old ones. */
  decision?: ReactNode
}

const Parts = ({ approval, earlier, facts, decision }: PartsProps) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(300px,392px)] lg:grid-rows-[auto_1fr]">
    <Panel title="What is sent">
      <Lines lines={approval.lines} linked />
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">{approval.consequence}</p>
    </Panel>
    <div className="grid gap-4 lg:row-span-2">
      {decision}
      <Request approval={approval} />
      {earlier.length === 0 ? null : <EarlierRequests earlier={earlier} />}
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
      <Fact label="By">{visibleText(command.actorName)}</Fact>
      <Fact label="Reason">{visibleText(request.reason)}</Fact>
      <TimeFact label="Requested" value={request.askedAt} />
      <TimeFact label="Expires" value={request.expiresAt} />
      <ReferenceFact label="Fingerprint" value={effect} name="fingerprint" />
    </Facts>
    <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
      {need} Its author and its parties cannot.
    </p>
    <Facts className="border-t">
      {moved.length === 0 ? <Fact label="Sent in the last 24 hours">nothing that you may see</Fact> : null}
      {moved.map(({ kind, count, sum }) => (
        <Fact key={kind} label={`${ownProperty(kindWords, kind) ?? kind}, in 24 hours`}>
          <span className="figures">
            {counted(count, 'change')}
            {sum === null ? null : `, ${shownAmount(sum)} BZD`}
          </span>
        </Fact>
      ))}
    </Facts>
  </Panel>
)

const EarlierRequests = ({ earlier }: Pick<PartsProps, 'earlier'>) => (
  <Panel title="Earlier requests for this">
    <ul className="grid divide-y text-sm">
      {earlier.map(({ id, title, actorName, askedAt, status, decisions }) => (
        <li key={id} className="grid gap-1 px-3.5 py-2.5">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <QuietLink href={`/approvals/${encodeURIComponent(id)}`} className="break-words">
              {visibleText(title)}
            </QuietLink>
            <span className="text-muted-foreground">{statusWords[status].word}</span>
          </span>
          <span className="text-secondary-foreground">
            {visibleText(actorName)}, <Timestamp value={askedAt} as="past" />
          </span>
          {decisions.map(({ by, approves, reason, at }) => (
            <span key={`${by} ${at}`} className="break-words text-secondary-foreground">
              {approves ? 'Approved' : 'Declined'} by {visibleText(by)}
              {reason === '' ? null : `: ${visibleText(reason)}`}
            </span>
          ))}
        </li>
      ))}
    </ul>
  </Panel>
)

interface WithFactsNowProps extends Pick<PartsProps, 'approval' | 'earlier'> {
  session: Session
  filter: ApprovalFilter
}

const STORED = { ok: true, moved: 'same', changedFacts: null, isToBeRead: false } as const

const DECIDED = 'You have already decided.'

/** The current facts are read with the approver's own scopes. */
async function WithFactsNow({ session, approval, earlier, filter }: WithFactsNowProps) {
  const { command, effect, facts, whyNot, hasDecided } = approval
  // Once the change was sent or has ended, current facts may include its effect, so the stored ones are shown.
  const waits = command.outcome.class === 'approval'
  const [now, background] = await Promise.all([
    waits ? readFactsNow(session, command.id) : ({ ...STORED, lines: facts } as const),
    waits ? readBackground(session, command.id) : [],
  ])
  if (now === null) notFound()
  const moved = now.ok ? now.moved : 'same'
  const isToBeRead = now.ok && now.isToBeRead
  const why = whyNot ?? notNow(now.ok, moved === 'void') ?? (hasDecided && !isToBeRead ? DECIDED : null)
  return (
    <Parts
      approval={approval}
      earlier={earlier}
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
          {now.ok && now.changedFacts !== null && moved === 'changed' ? (
            <Panel title="New since the request" meaning="attention">
              <ChangedLines {...now.changedFacts} earlier="When requested" />
            </Panel>
          ) : null}
          <ApprovalDecision
            command={command}
            effect={effect}
            factsMark={now.ok ? (now.changedFacts?.mark ?? null) : null}
            whyNot={why}
            passkey={passkeyOf(approval)}
            isReread={hasDecided && isToBeRead}
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
  if (!read) return 'as the author saw it'
  return moved ? 'changed since' : 'unchanged'
}

function notNow(read: boolean, moved: boolean): string | null {
  if (!read) return 'The current data could not be read. Reload the page in a moment.'
  return moved ? 'The data has changed. This request can no longer be approved.' : null
}
