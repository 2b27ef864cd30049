import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { equals, type FieldFaults, faultsOf, serviceCommand } from '#lib/commands/kind.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { removeSentText } from '#lib/session/unsent-text.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { referenceFault, spellingFault, stateSince, transactionStateWords } from '#lib/transactions/transaction.ts'
import { readAnyTransaction, readTransaction } from '#lib/transactions/transaction-service.ts'
import { shortId } from '#lib/values/ids.ts'
import { timeInText } from '#lib/values/time.ts'
import { compareDecision, conflictsOfInterest, decisionChecks, describeResolution, reversalIn } from './decision.ts'
import { resolveTransaction } from './dispute-service.ts'
import { type CaseOf, caseOf } from './queue/find-cases.ts'
import { decisionWords, isDecided, partyLines, reasonFault } from './resolution.ts'

const params = z.strictObject({
  referenceId: z.string(),
  decision: z.enum(['refund', 'release']),
  reason: z.string().trim(),
})

type Params = z.output<typeof params>

type Facts = Readonly<
  Record<'referenceId' | 'state' | 'debit' | 'credit' | 'fromAccountId' | 'toAccountId' | 'disputeCase', string>
>

const checkFacts = ({ referenceId: typed }: Params, { referenceId, state, disputeCase }: Facts): FieldFaults =>
  faultsOf({
    referenceId:
      spellingFault(typed, referenceId) ??
      (state === 'DISPUTED'
        ? caseFault(disputeCase)
        : `This transaction is ${transactionStateWords(state).word}. Only a disputed transaction can be resolved.`),
  })

/** If there is a case, it must be resolved instead, because that also closes its thread. */
function caseFault(disputeCase: string): string | null {
  if (disputeCase === 'none') return null
  return disputeCase === 'not known'
    ? 'It is not known whether it has a case: that needs the full case list, read as admin.'
    : 'It has a case. Resolve the case instead.'
}

/** An approver reads the title of a 403; other problems only ask them to try again. */
const caseNotKnown = ({ why, again }: Extract<CaseOf, { kind: 'not-known' }>): Problem =>
  problemOf('console', {
    status: again ? 503 : 403,
    title: `It is not known whether it has a case. ${why.replace(/\.$/, '')}`,
  })

const factLines = (facts: Facts): Line[] => [
  { label: 'Transaction', value: facts.state, as: 'state' },
  { label: 'Sender paid', value: facts.debit, as: 'money' },
  { label: 'For the recipient', value: facts.credit, as: 'money' },
  { label: 'Dispute case', value: facts.disputeCase, as: 'text' },
]

/** `POST Transaction/dispute/resolve`: final; only for a transaction without a case. */
export const transactionResolve = serviceCommand<Params, Facts, unknown>({
  kind: 'transaction.resolve',
  keepsLine: isDecided,
  settledAs: 'dispute.settle',
  params,
  immediate: false,
  needsEnrolment: true,
  checkParams: ({ referenceId, reason }) =>
    faultsOf({ referenceId: referenceFault(referenceId), reason: reasonFault(reason) }),
  async readFacts(session, { referenceId }, author) {
    const [transaction, found] = await Promise.all([
      readTransaction(session, referenceId),
      caseOf(session, referenceId),
    ])
    if (!transaction.ok) return transaction
    // `checkFacts` refuses a draft for it. A request that is compared again must not end for it.
    if (author !== undefined && found.kind === 'not-known') return { ok: false, problem: caseNotKnown(found) }
    const { referenceId: known, state, debit, credit, fromAccountId, toAccountId } = transaction.value
    const disputeCase = found.kind === 'case' ? found.caseId : found.kind.replace('-', ' ')
    const facts = { referenceId: known, state, debit, credit, fromAccountId, toAccountId, disputeCase }
    return { ...transaction, value: facts }
  },
  checkFacts,
  async warning(session, _params, facts) {
    const conflicts = await conflictsOfInterest(session, facts)
    return conflicts.length === 0 ? null : conflicts.join(' ')
  },
  policyInput: ({ decision }, { debit }) => ({ amount: debit, decision }),
  parties: (_params, { fromAccountId, toAccountId }) => [fromAccountId, toAccountId],
  refusesParties: { field: 'decision', fault: 'You are a party to this transaction. Someone else must resolve it.' },
  target: ({ referenceId }) => referenceId,
  locks: ({ referenceId }) => [{ key: `dispute:${referenceId}`, permanent: false }],
  describeLockConflict: () => ({
    field: 'referenceId',
    what: 'This dispute is already being resolved, or its outcome is not known yet',
  }),
  title: ({ decision }, facts) => `${decisionWords(decision, facts).title} ${shortId(partyOf(decision, facts))}`,
  doneTitle: ({ decision }, facts) =>
    `${decisionWords(decision, facts).doneTitle} ${shortId(partyOf(decision, facts))}`,
  summary: ({ decision, reason }, facts) => [
    { label: 'Transaction', value: facts.referenceId, as: 'reference' },
    ...partyLines(decision, facts),
    { label: 'Reason', value: reason, as: 'text' },
  ],
  factLines,
  affectedBy: ['transaction.resolve', 'dispute.resolve'],
  consequence: ({ decision }, facts) => `${decisionWords(decision, facts).sentence} This cannot be undone.`,
  send: (session, { referenceId, decision, reason }) =>
    resolveTransaction(session, { referenceId, releaseToRecipient: decision === 'release', resolutionReason: reason }),
  compareAnswer: ({ params: decided, facts, data }) =>
    compareDecision(decided.decision, data, { ...decisionChecks(decided), referenceId: equals(facts.referenceId) }, [
      'referenceId',
      'state',
    ]),
  describeSuccess: (input, facts) => describeResolution(input, facts, null),
  describeFurther: async (session, input, facts, data) => {
    const reversal = input.decision === 'refund' ? await reversalIn(session, facts, data) : null
    return reversal === null ? null : describeResolution(input, facts, reversal)
  },
  onSettled: (trx, { actor, params: { referenceId, reason } }) =>
    removeSentText(trx, actor, reasonPlace(referenceId), (text) => (text === reason ? '' : text)),
  async reconcile(session, input, { facts, answer }) {
    const transaction = await readAnyTransaction(session, input.referenceId)
    if (!transaction.ok) return transaction.problem
    const { referenceId, state } = transaction.value
    if (referenceId !== facts.referenceId) {
      return { settled: false, showsNoEffect: false, shows: 'The service answered for another transaction.' }
    }
    if (state === 'DISPUTED') {
      return { settled: false, showsNoEffect: true, shows: 'The transaction is still Disputed.' }
    }
    const since = stateSince(transaction.value)
    const shows = `The transaction is ${transactionStateWords(state).word}${since === null ? '' : ` since ${timeInText(since)}`}.`
    // Every decision leads to PROCESSED, so it proves this one only after a success answer.
    return state === 'PROCESSED' && answer === 'success'
      ? { settled: true, shows, description: describeResolution(input, facts, null) }
      : { settled: false, showsNoEffect: false, shows: `${shows} The service does not say who resolved it or how.` }
  },
  reconcileScope: 'core:transactions:read',
  checking: 'Checking whether the transaction is still Disputed.',
  unknownAdvice: 'Don’t resolve it anywhere else yet. If it has left Disputed, a person must record who resolved it.',
})

const partyOf = (decision: Params['decision'], { fromAccountId, toAccountId }: Facts): string =>
  decision === 'refund' ? fromAccountId : toAccountId
