import { headers } from 'next/headers'
import { CountedTitle } from '#components/frame/assigned-cases.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { RefreshIfOld } from '#components/service/retry-button.tsx'
import { cn } from '#components/ui/cn.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Reference } from '#components/values/reference.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { latestCommand } from '#lib/commands/view.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { offeredCategories } from '#lib/disputes/categories/category-table.ts'
import { matchReversal } from '#lib/disputes/decision.ts'
import { recordCases } from '#lib/disputes/queue/case-index.ts'
import { isAmong, knownReversal } from '#lib/disputes/resolution.ts'
import { readUnsent, readWholeThread, type WholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { lastSeenIn } from '#lib/disputes/unread/thread-table.ts'
import { isPartyOf, mayWorkOnCases } from '#lib/disputes/workspace/case-people.ts'
import { isPinned } from '#lib/look-up/recent-things.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { type Access, may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import { type Session, verifiedUntil } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { caseNotePlace, reasonPlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { isUuid } from '#lib/values/ids.ts'
import { ApprovalNote, LimitNote } from '../../../access-notes.tsx'
import { RenderWithin, readOrSignIn, segmentId, startRead } from '../../../page-reads.tsx'
import { caseHeadLine, caseHeadPeople, factsPane } from '../../class-names.ts'
import { CaseProblem } from '../desk.tsx'
import { CaseFacts, EarlierCasesOf, TransactionFacts } from './case-facts.tsx'
import { CaseReason } from './case-reason.tsx'
import { Workbench } from './workbench.tsx'

/** After this, a case that is opened from another one shows its outline. */
const OUTLINE_AFTER_MS = 400
const PROBLEM_SHOWN_WITHIN_MS = 3_000

export default async function CasePage({ params }: { params: Promise<{ caseId: string }> }) {
  const session = await requireSession()
  const caseId = segmentId((await params).caseId)
  if (!isUuid(caseId)) {
    return (
      <CaseProblem>
        <div role="alert">
          <PageHead title="Dispute case" lead="Not a case id. An id has 36 characters: 0 to 9, a to f and dashes." />
        </div>
      </CaseProblem>
    )
  }
  // The page before stays until this one is ready; a new document has nothing to show meanwhile.
  const isOpenedFromPage = (await headers()).get('sec-fetch-dest') === 'empty'
  return (
    <RenderWithin
      content={startRead(readCase(session, caseId))}
      outline={<CaseOutline caseId={caseId} />}
      {...(isOpenedFromPage ? { withinMs: OUTLINE_AFTER_MS } : {})}
    />
  )
}

async function readCase(session: Session, caseId: string) {
  const thread = await readOrSignIn(readWholeThread(session, caseId))
  if (thread.ok) return await showCase(session, caseId, thread.value)
  return (
    <CaseProblem>
      <PageHead title="Dispute case" lead={<Reference value={caseId} name="Case" mark whole />} />
      <Panel title="Case">
        <ProblemPanel problem={thread.problem} />
      </Panel>
      <RefreshIfOld renderedAtMs={Date.now()} olderThanMs={PROBLEM_SHOWN_WITHIN_MS} />
    </CaseProblem>
  )
}

async function showCase(session: Session, caseId: string, { case: found, readAt, readOnly, messages }: WholeThread) {
  void recordCases([found], readAt)
  const [transaction, access, latest, unsent, reason, note, pinned, seen, categories] = await Promise.all([
    readOrSignIn(readTransaction(session, found.referenceId)),
    readAccess(session),
    latestCommand(session, 'dispute.resolve', caseId),
    readUnsent(session, caseId),
    readUnsentText(session, reasonPlace(caseId)),
    readUnsentText(session, caseNotePlace(caseId)),
    isPinned(session, { kind: 'case', id: caseId }),
    readSeen(session, found),
    readCategories(session, found),
  ])
  const disputed = transaction.ok ? transaction.value : null
  const matched =
    disputed !== null && found.status === 'RESOLVED' && knownReversal(latest) === 'not-confirmed'
      ? matchReversal(session, disputed, found)
      : 'not-confirmed'
  return (
    <>
      <CountedTitle>Dispute case</CountedTitle>
      <RefreshIfOld renderedAtMs={Date.now()} />
      <Workbench
        caseId={caseId}
        me={session.userId}
        initial={{ case: found, readOnly, messages }}
        seen={seen}
        disputed={disputed}
        kept={{ message: unsent.kept, reason, note }}
        categories={categories}
        open={unsent.open.map(({ command, ...message }) => ({
          id: command.id,
          ...message,
          state: { step: 'outcome', command },
          answeredAtMs: Date.parse(command.settledAt ?? '') || 0,
        }))}
        missingScope={may(access, 'core:disputes:message') ? null : 'core:disputes:message'}
        verifiedUntil={verifiedUntil(session)}
        policy={
          <>
            <ApprovalNote kind="dispute.resolve" />
            <LimitNote session={session} kind="dispute.resolve" amount={disputed?.debit ?? null} />
          </>
        }
        messageLimit={<LimitNote session={session} kind="dispute.message" />}
        blockedReason={blockedReason(session, access, found, transaction)}
        latest={latest}
        matched={matched}
        pinned={pinned}
        reason={<CaseReason found={found} transaction={disputed} />}
        transaction={<TransactionFacts transaction={transaction} raisedAt={found.createdAt} />}
        earlier={<EarlierCasesOf session={session} found={found} />}
        facts={<CaseFacts session={session} found={found} transaction={transaction} />}
      />
    </>
  )
}

async function readSeen(session: Session, found: ThreadCase) {
  if (isPartyOf(found, session) || !(await mayWorkOnCases(session))) return null
  return { upTo: await lastSeenIn(await store(), session.actor, found.id) }
}

async function readCategories(session: Session, found: ThreadCase) {
  if (isPartyOf(found, session) || !(await permits(session, 'categories.read'))) return []
  return await offeredCategories(await store())
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

/** A loading outline in which each part is as high as the part that replaces it. */
const CaseOutline = ({ caseId }: { caseId: string }) => (
  <>
    <CountedTitle>Dispute case</CountedTitle>
    <section aria-label="Case" aria-busy="true" className="flex min-h-0 min-w-0 flex-col">
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
        <div className={caseHeadPeople} />
      </div>
      <div className="shrink-0 border-b px-4 py-2 short:py-0.5 sm:px-6">
        <Skeleton className="my-1.5 h-4 w-64 max-w-full" />
        <Skeleton className="my-1 h-3 w-80 max-w-full short:hidden" />
      </div>
      <div className="grid min-h-0 flex-1 content-end gap-3 overflow-hidden px-4 py-4 short:py-2 sm:px-6">
        {['w-72', 'w-96', 'w-56', 'w-80'].map((width) => (
          <Skeleton key={width} className={cn('h-9 max-w-full shrink-0 rounded-lg', width)} />
        ))}
      </div>
      <div className="h-42.5 short:h-11.5 shrink-0 border-t px-4 py-3 short:py-1.5 sm:px-6">
        <Skeleton className="h-full w-full rounded-md" />
      </div>
    </section>
    <div className={cn(factsPane, 'hidden wide:flex')}>
      <PanelOutline title="Resolve" lines={12} />
      <PanelOutline title="Transaction" lines={9} />
    </div>
  </>
)
