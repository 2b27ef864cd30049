import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { RetryButton } from '#components/service/retry-button.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { latestCommand } from '#lib/commands/view.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { matchReversal, settledSentence } from '#lib/disputes/decision.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { type CaseOf, caseOf } from '#lib/disputes/queue/find-cases.ts'
import { isAmong, type KnownReversal, knownDecision, knownReversal } from '#lib/disputes/resolution.ts'
import { type Access, may, readAccess } from '#lib/service/scopes.ts'
import { type Session, verifiedUntil } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { PolicyNotes } from '../../access-notes.tsx'
import { ResolveDispute } from './resolve-dispute.tsx'

export interface TransactionDispute {
  readonly access: Access
  /** Null when the operator may not read disputes. */
  readonly found: CaseOf | null
  /** The latest resolution sent by this console, of the case or of the transaction without a case. */
  readonly latest: CommandView | null
}

const SCOPES_UNREAD = { kind: 'not-known', why: 'Your scopes could not be read.', again: true } as const

export async function readDispute(session: Session, { referenceId, state }: Transaction): Promise<TransactionDispute> {
  const access = await readAccess(session)
  // If scopes are unknown, the service is asked only for a DISPUTED transaction, which may have a case.
  const reads = access.scopes?.has('core:disputes:read') ?? state === 'DISPUTED'
  const unread = access.scopes === null ? SCOPES_UNREAD : null
  const [found, ofTransaction] = await Promise.all([
    reads ? caseOf(session, referenceId) : unread,
    latestCommand(session, 'transaction.resolve', referenceId),
  ])
  const latest = found?.kind === 'case' ? await latestCommand(session, 'dispute.resolve', found.caseId) : ofTransaction
  return { access, found, latest }
}

/** Looked for in the sender's history where no answer of the service names it. */
export async function readReversal(
  session: Session,
  transaction: Transaction,
  dispute: Promise<TransactionDispute>,
): Promise<KnownReversal> {
  const { found, latest } = await dispute
  const reported = knownReversal(latest)
  if (reported !== 'not-confirmed' || found?.kind !== 'case' || transaction.state !== 'PROCESSED') return reported
  const read = await readCase(session, found.caseId)
  return read.ok ? await matchReversal(session, transaction, read.value) : reported
}

interface SettledWordsProps {
  dispute: Promise<TransactionDispute>
  reversal: Promise<KnownReversal>
  seen: readonly { readonly state: string }[] | null
}

/** The state PROCESSED does not say whether a dispute refunded the sender. */
export async function SettledWords({ dispute, reversal: reading, seen }: SettledWordsProps) {
  const { found, latest } = await dispute
  const reversal = await reading
  const isNamed = typeof reversal === 'object'
  const decision = isNamed ? 'refund' : knownDecision(latest)
  const words = settledSentence({
    decision,
    hasCase: found?.kind === 'case',
    wasDisputed: seen?.some(({ state }) => state === 'DISPUTED') ?? false,
  })
  if (!isNamed) return words
  const address = `/transactions/${encodeURIComponent(reversal.reference)}`
  return (
    <>
      {words} <Reference value={reversal.reference} name="Reversing transaction" href={address} short />
      {reversal.matched ? ' (found by parties, amount and time)' : null}
    </>
  )
}

const UNTIL_THEN = 'Until then it cannot be resolved here.'

interface DisputeSectionProps {
  session: Session
  transaction: Transaction
  dispute: Promise<TransactionDispute>
}

/** Links to a known case. Offers to resolve only if there is certainly none: resolving also closes its thread. */
export async function DisputeSection({ session, transaction, dispute }: DisputeSectionProps) {
  const { referenceId, state, fromAccountId, toAccountId, debit, credit } = transaction
  const [{ access, found, latest }, kept] = await Promise.all([
    dispute,
    readUnsentText(session, reasonPlace(referenceId)),
  ])
  if (found === null)
    return state === 'DISPUTED' ? (
      <NotKnown why={`It needs the scope core:disputes:read. ${UNTIL_THEN}`} again={false} />
    ) : null
  if (found.kind === 'case') return <CaseLink caseId={found.caseId} />
  const disputed = { fromAccountId, toAccountId, debit, credit }
  const decides = state === 'DISPUTED' && found.kind === 'none'
  return (
    <>
      {decides || latest !== null ? (
        <ResolveDispute
          referenceId={referenceId}
          form={
            decides
              ? {
                  ...{ disputed, kept, verifiedUntil: verifiedUntil(session), renderedAtMs: Date.now() },
                  blockedReason: blockedReasonOf(
                    may(access, 'core:disputes:resolve'),
                    isAmong(session.userId, [fromAccountId, toAccountId]),
                  ),
                  policy: <PolicyNotes session={session} kind="transaction.resolve" amount={debit} />,
                }
              : null
          }
          latest={latest}
        />
      ) : null}
      {found.kind === 'not-known' && (state === 'DISPUTED' || (found === SCOPES_UNREAD && latest !== null)) ? (
        <NotKnown why={state === 'DISPUTED' ? `${found.why} ${UNTIL_THEN}` : found.why} again={found.again} />
      ) : null}
    </>
  )
}

function blockedReasonOf(mayResolve: boolean, isParty: boolean): string | null {
  if (!mayResolve) return 'Read-only: resolving needs the scope core:disputes:resolve.'
  return isParty ? 'You are a party to this transaction. Someone else must resolve it.' : null
}

const CaseLink = ({ caseId }: { caseId: string }) => (
  <Panel title="Dispute case">
    <p className="px-3.5 pt-3 text-sm">This transaction has a dispute case. Resolve it there.</p>
    <p className="px-3.5 py-3">
      <ButtonLink href={`/disputes/${caseId}`} variant="outline">
        Open the case
      </ButtonLink>
    </p>
  </Panel>
)

const NotKnown = ({ why, again }: { why: string; again: boolean }) => (
  <Panel title="Dispute case">
    <div className="grid justify-items-start gap-2 px-3.5 py-3 text-secondary-foreground text-sm">
      <p>It is not known whether this transaction has a case. {why}</p>
      {again ? <RetryButton /> : null}
    </div>
  </Panel>
)
