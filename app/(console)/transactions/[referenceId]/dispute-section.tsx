import Link from 'next/link'
import { Panel } from '#components/frame/panel.tsx'
import { RetryButton } from '#components/service/retry-button.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { latestCommand } from '#lib/commands/latest.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { caseOf } from '#lib/disputes/queue/case-of.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { verifiedUntil } from '#lib/session/step-up-grants.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { ApprovalNote } from '../../approval-note.tsx'
import { unsentTextOf } from '../../unsent-text.ts'
import { ResolveDispute } from './resolve-dispute.tsx'

interface DisputeSectionProps {
  session: Session
  transaction: Transaction
}

/**
 * The way to the case of a transaction, if one is known; the decision itself only where it is proved that there is none,
 * since a case's own resolution closes its thread as well.
 */
export async function DisputeSection({ session, transaction }: DisputeSectionProps) {
  const { referenceId, state, fromAccountId, toAccountId, debit, credit } = transaction
  const access = await readAccess(session)
  // Where scopes are not known, the service is asked only if there must be something to find.
  const reads = access.scopes?.has('core:disputes:read') ?? state === 'DISPUTED'
  if (!reads)
    return state === 'DISPUTED' ? <NotKnown why="It needs the scope core:disputes:read." again={false} /> : null
  const [found, latest, kept] = await Promise.all([
    caseOf(session, referenceId),
    latestCommand(session, 'transaction.resolve', referenceId),
    unsentTextOf(session, reasonPlace(referenceId)),
  ])
  if (found.kind === 'case') return <CaseLink caseId={found.caseId} />
  if (state !== 'DISPUTED' && latest === null) return null
  if (found.kind === 'none' || state !== 'DISPUTED') {
    return (
      <ResolveDispute
        referenceId={referenceId}
        disputed={{ fromAccountId, toAccountId, debit, credit }}
        kept={kept}
        verifiedUntil={verifiedUntil(session)}
        blockedReason={blockedReasonOf(
          may(access, 'core:disputes:resolve'),
          isAmong(session.userId, [fromAccountId, toAccountId]),
        )}
        policy={<ApprovalNote kind="transaction.resolve" />}
        latest={latest}
        over={state !== 'DISPUTED'}
      />
    )
  }
  return <NotKnown why={found.why} again={found.again} />
}

function blockedReasonOf(mayResolve: boolean, isParty: boolean): string | null {
  if (!mayResolve) return 'You may look, but not decide: it needs the scope core:disputes:resolve.'
  return isParty ? 'You are a party of this transaction. Somebody else must decide it.' : null
}

const CaseLink = ({ caseId }: { caseId: string }) => (
  <Panel title="Dispute case">
    <p className="px-3.5 pt-3 text-sm">This transaction is what a case is about. It is decided there.</p>
    <p className="px-3.5 py-3">
      <Link href={`/disputes/${caseId}`} prefetch={false} className={buttonVariants({ variant: 'outline' })}>
        Open the case
      </Link>
    </p>
  </Panel>
)

const NotKnown = ({ why, again }: { why: string; again: boolean }) => (
  <Panel title="Dispute case">
    <div className="grid justify-items-start gap-2 px-3.5 py-3 text-secondary-foreground text-sm">
      <p>Whether there is a case for this transaction is not known. {why} Until then nothing is decided here.</p>
      {again ? <RetryButton /> : null}
    </div>
  </Panel>
)
