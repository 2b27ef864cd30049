import { Suspense } from 'react'
import { CountedTitle } from '#components/frame/assigned-cases.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { cn } from '#components/ui/cn.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Reference } from '#components/values/reference.tsx'
import { latestCommand } from '#lib/commands/view.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { recordCase } from '#lib/disputes/queue/case-index.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import { openMessages, readWholeThread, type WholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { isPinned, recordShown } from '#lib/look-up/recent-things.ts'
import type { Result } from '#lib/service/answer.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { type Access, may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { verifiedUntil } from '#lib/session/step-up-grants.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { caseNotePlace, messagePlace, reasonPlace } from '#lib/session/unsent-text-place.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { isUuid } from '#lib/values/ids.ts'
import { ApprovalNote } from '../../access-notes.tsx'
import { readOrSignIn, segmentId } from '../../page-reads.tsx'
import { caseColumns, caseFrame, caseHeadLine, caseTabs, factsPane } from '../class-names.ts'
import { claimOf, readQueueFilter } from '../queue-links.tsx'
import { PaneOutline, QueuePaneList } from '../queue-pane-list.tsx'
import { CaseFacts, TransactionFacts } from './case-facts.tsx'
import { CaseReason } from './case-reason.tsx'
import { Workbench } from './workbench.tsx'

type Params = Promise<{ caseId: string }>
type Search = Promise<{ queue?: string | string[] }>

export default async function CasePage({ params, searchParams }: { params: Params; searchParams: Search }) {
  const session = await requireSession()
  const caseId = segmentId((await params).caseId)
  if (!isUuid(caseId)) {
    return (
      <div role="alert">
        <PageHead title="Dispute case" lead="Not a case id. An id has 36 characters: 0 to 9, a to f and dashes." />
      </div>
    )
  }
  const whose = String((await searchParams).queue)
  return (
    <Suspense key={caseId} fallback={<CaseOutline caseId={caseId} />}>
      <ReadCase session={session} caseId={caseId} whose={whose} />
    </Suspense>
  )
}

interface CaseProps {
  session: Session
  caseId: string
  /** The filter of the queue beside the case. */
  whose: string
}

async function ReadCase({ session, caseId, whose }: CaseProps) {
  const thread = await readOrSignIn(readWholeThread(session, caseId))
  if (thread.ok) recordShown(session, { kind: 'case', id: caseId })
  if (thread.ok) return <FoundCase session={session} caseId={caseId} whose={whose} thread={thread.value} />
  return (
    <>
      <PageHead title="Dispute case" lead={<Reference value={caseId} name="Case" mark whole />} />
      <Panel title="Case">
        <ProblemPanel problem={thread.problem} />
      </Panel>
    </>
  )
}

async function FoundCase({ session, caseId, whose, thread }: CaseProps & { thread: WholeThread }) {
  const { case: found, readOnly, messages } = thread
  const readAt = new Date().toISOString()
  const [transaction, access, latest, open, message, reason, note, pinned] = await Promise.all([
    readOrSignIn(readTransaction(session, found.referenceId)),
    readAccess(session),
    latestCommand(session, 'dispute.resolve', caseId),
    openMessages(session, caseId),
    readUnsentText(session, messagePlace(caseId)),
    readUnsentText(session, reasonPlace(caseId)),
    readUnsentText(session, caseNotePlace(caseId)),
    isPinned(session, { kind: 'case', id: caseId }),
  ])
  const disputed = transaction.ok ? transaction.value : null
  const onTheWay = open.some(({ body }) => body === message.text.trim())
  return (
    <>
      <CountedTitle>Dispute case</CountedTitle>
      <Workbench
        caseId={caseId}
        me={session.userId}
        initial={{ case: found, readOnly, messages }}
        disputed={disputed}
        kept={{ message: onTheWay ? { ...message, text: '' } : message, reason, note }}
        open={open.map(({ command, body }) => ({ id: command.id, body, state: { step: 'outcome', command } }))}
        missingScope={may(access, 'core:disputes:message') ? null : 'core:disputes:message'}
        verifiedUntil={verifiedUntil(session)}
        policy={<ApprovalNote kind="dispute.resolve" />}
        blockedReason={blockedReason(session, access, found, transaction)}
        latest={latest}
        pinned={pinned}
        reason={<CaseReason found={found} transaction={disputed} />}
        transaction={<TransactionFacts transaction={transaction} raisedAt={found.createdAt} />}
        queue={<QueuePane current={found} readAt={readAt} whose={whose} />}
        facts={<CaseFacts session={session} found={found} transaction={transaction} />}
      />
    </>
  )
}

/** Null when nothing known to the console prevents the decision. */
function blockedReason(
  session: Session,
  access: Access,
  { raisedByUserId, counterpartyUserId }: ThreadCase,
  transaction: Result<Transaction>,
): string | null {
  if (!may(access, 'core:disputes:resolve')) return 'Read-only: resolving needs the scope core:disputes:resolve.'
  if (isAmong(session.userId, [raisedByUserId, counterpartyUserId])) {
    return 'You are a party to this case. Someone else must resolve it.'
  }
  if (transaction.ok) return null
  return `The disputed transaction cannot be read, so the case cannot be resolved. ${problemWords(transaction.problem).title}.`
}

const bubbles = ['w-72', 'w-96', 'w-56', 'w-80'] as const

/** A loading outline in which each part is as high as the part that replaces it. */
const CaseOutline = ({ caseId }: { caseId: string }) => (
  <div aria-busy="true" className={caseFrame}>
    <CountedTitle>Dispute case</CountedTitle>
    <div className={caseTabs}>
      <Skeleton className="h-8 w-full short:h-7" />
    </div>
    <div className={caseColumns}>
      <div className="hidden min-h-0 min-w-0 flex-col border-r wide:flex">
        <PaneOutline />
      </div>
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="@container shrink-0 border-b">
          <div className={caseHeadLine}>
            <span className="min-w-[8ch] max-w-[18ch] font-semibold">
              <Reference value={caseId} name="Case" short mark />
            </span>
            <Skeleton className="h-5 w-16" />
            <p role="status" className="text-secondary-foreground text-sm">
              Reading the case
            </p>
          </div>
        </div>
        <div className="shrink-0 border-b px-4 py-2 short:py-0.5 sm:px-6">
          <Skeleton className="my-1.5 h-4 w-64 max-w-full" />
          <Skeleton className="my-1 h-3 w-80 max-w-full short:hidden" />
        </div>
        <div className="grid min-h-0 flex-1 content-end gap-3 overflow-hidden px-4 py-4 short:py-2 sm:px-6">
          {bubbles.map((width) => (
            <Skeleton key={width} className={cn('h-9 max-w-full shrink-0 rounded-lg', width)} />
          ))}
        </div>
        <div className="h-42.5 short:h-11.5 shrink-0 border-t px-4 py-3 short:py-1.5 sm:px-6">
          <Skeleton className="h-full w-full rounded-md" />
        </div>
      </div>
      <div className={cn(factsPane, 'hidden wide:flex')}>
        <PanelOutline title="Resolve" lines={12} />
        <PanelOutline title="Transaction" lines={9} />
      </div>
    </div>
  </div>
)

interface QueuePaneProps {
  /** The open case, as it was just read. */
  current: DisputeCase
  /** ISO 8601: when `current` was read. */
  readAt: string
  whose: string
}

/** Rendered in its own suspense boundary, so that neither the case nor the list waits for the other. */
const QueuePane = (props: QueuePaneProps) => (
  <Suspense fallback={<PaneOutline />}>
    <OpenCases {...props} />
  </Suspense>
)

async function OpenCases({ current, readAt, whose }: QueuePaneProps) {
  const session = await requireSession()
  // The case was read after the index, so it is written to the index first. Only this list waits for that write.
  await recordCase(current, readAt)
  const chosen = readQueueFilter(whose)
  const filter = { ...everyOpenCase, claim: claimOf(chosen) }
  const initial = await queueFor(session, filter, { around: current.id })
  const facts = comingFacts(
    session,
    initial.rows.map(({ reference }) => reference),
  )
  return <QueuePaneList initial={initial} facts={facts} initialFilter={chosen} currentCaseId={current.id} />
}
