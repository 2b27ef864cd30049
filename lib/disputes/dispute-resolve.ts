import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type ConsoleRefusal,
  equals,
  equalsId,
  type FieldFaults,
  faultsOf,
  type Reconciliation,
  serviceCommand,
} from '#lib/commands/kind.ts'
import { userIdOf } from '#lib/commands/row.ts'
import { offeredCategories, putDecision } from '#lib/disputes/categories/category-table.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { refusedUnlessAssignee, unlessClosedTo } from '#lib/disputes/workspace/case-people.ts'
import { removeSentText } from '#lib/session/unsent-text.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { shortId } from '#lib/values/ids.ts'
import { timeInText } from '#lib/values/time.ts'
import { caseStateWords } from './case-state.ts'
import {
  type CategoryFact,
  categoryLines,
  compareDecision,
  conflictsOfInterest,
  contradictsDecision,
  decisionChecks,
  describeResolution,
  reversalIn,
} from './decision.ts'
import { resolveCase } from './dispute-service.ts'
import { indexCases } from './queue/case-index.ts'
import { decisionWords, isAmong, isDecided, partyLines, reasonFault } from './resolution.ts'
import { readWholeThread } from './thread/case-thread.ts'
import { assignToAuthor } from './workspace/assign-cases.ts'
import { caseId, textLine } from './workspace/case-assignment.ts'
import { casePlace } from './workspace/workspace.ts'
import { claimOf, dropClaim } from './workspace/workspace-tables.ts'

const params = z.strictObject({
  caseId,
  referenceId: z.string(),
  decision: z.enum(['refund', 'release']),
  reason: z.string().trim(),
  /** The last message that the arbitrator saw; empty if there was none. */
  latestMessageId: z.string(),
  /** Absent where the team keeps no list. Never sent to the service. */
  category: z.guid().toLowerCase().optional(),
})

type Params = z.output<typeof params>

type Facts = Readonly<
  Record<
    | 'referenceId'
    | 'status'
    | 'resolvedByUserId'
    | 'resolutionReason'
    | 'raisedByUserId'
    | 'counterpartyUserId'
    | 'messages'
    | 'latestMessageId'
    | 'latestMessage'
    | 'state'
    | 'debit'
    | 'credit'
    | 'fromAccountId'
    | 'toAccountId'
    | 'claimedBy',
    string
  >
> &
  CategoryFact

const partiesOf = ({ raisedByUserId, counterpartyUserId, fromAccountId, toAccountId }: Facts): readonly string[] => [
  raisedByUserId,
  counterpartyUserId,
  fromAccountId,
  toAccountId,
]

const checkFacts = (input: Params, facts: Facts): FieldFaults =>
  faultsOf({
    caseId:
      facts.status === 'OPEN'
        ? null
        : `This case is ${caseStateWords(facts.status).word}. Only an open case can be resolved.`,
    referenceId:
      facts.referenceId === input.referenceId ? null : 'The case now names another transaction. Check it again.',
    latestMessageId:
      facts.latestMessageId === input.latestMessageId.toLowerCase()
        ? null
        : 'A new message arrived. Read it, then resolve.',
    category: facts.category === '' ? categoryFault(input) : null,
  })

const categoryFault = ({ category }: Params): string =>
  category === undefined ? 'Select a category.' : 'This category is retired. Select another one.'

/** The given id if only the author's messages follow, perhaps not on the page; else the last. */
function seenUpTo({ latestMessageId }: Params, messages: readonly ThreadMessage[], author: string | null): string {
  const seen = latestMessageId.toLowerCase()
  const place = messages.findIndex(({ id }) => id.toLowerCase() === seen)
  const isKnown = place >= 0 || seen === ''
  const theirs = author === null ? [] : [author]
  const onlyTheirs = messages.slice(place + 1).every(({ senderUserId }) => isAmong(senderUserId, theirs))
  return isKnown && onlyTheirs ? seen : (messages.at(-1)?.id.toLowerCase() ?? '')
}

/** The name is empty if the decision needs another category. */
async function categoryFact({ category }: Params): Promise<CategoryFact> {
  const offered = await offeredCategories(await store())
  if (category === undefined && offered.length === 0) return {}
  return { category: offered.find(({ id }) => id === category)?.name ?? '' }
}

async function refusedIfRetired(input: Params): Promise<ConsoleRefusal | null> {
  if (input.category === undefined || (await categoryFact(input)).category !== '') return null
  return { title: 'The category is retired', advice: 'Nothing was sent. Select another category, then resolve again.' }
}

const factLines = (facts: Facts): Line[] => [
  { label: 'Case', value: facts.status, as: 'case-state' },
  ...(facts.resolvedByUserId === ''
    ? []
    : [{ label: 'Resolved by', value: facts.resolvedByUserId, as: 'id' } as const]),
  ...(facts.resolutionReason === '' ? [] : [textLine('Reason given', facts.resolutionReason)]),
  { label: 'Transaction', value: facts.state, as: 'state' },
  { label: 'Sender paid', value: facts.debit, as: 'money' },
  { label: 'For the recipient', value: facts.credit, as: 'money' },
  { label: 'Messages', value: facts.messages, as: 'text' },
  { label: 'Last message', value: facts.latestMessage === '' ? 'none' : facts.latestMessage, as: 'text' },
  { label: 'Assignee', value: facts.claimedBy === '' ? 'none' : facts.claimedBy, as: 'text' },
  ...categoryLines(facts.category === '' ? { category: 'to be selected from the present list' } : facts),
]

/** The same reason by this person proves it. The service may change the text, so other words prove nothing. */
function seen(input: Params, facts: Facts, found: ThreadCase, actorUserId: string | null): Reconciliation {
  const { status, resolvedByUserId, resolutionReason, resolutionOutcome, resolvedAt } = found
  const { word } = caseStateWords(status)
  if (status !== 'RESOLVED') return { settled: false, showsNoEffect: status === 'OPEN', shows: `The case is ${word}.` }
  const since = resolvedAt === null ? '' : ` since ${timeInText(resolvedAt)}`
  const isOpposite = contradictsDecision(input.decision, resolutionOutcome)
  const verbatim: Line[] = [
    ...(resolvedByUserId === null ? [] : [{ label: 'Resolved by', value: resolvedByUserId, as: 'id' } as const]),
    { label: 'Outcome at the service', value: resolutionOutcome ?? 'none given', as: 'text' },
    { label: 'Reason given', value: resolutionReason ?? 'none given', as: 'text' },
  ]
  const mine = isAmong(actorUserId, resolvedByUserId === null ? [] : [resolvedByUserId])
  if (mine && resolutionReason === input.reason && !isOpposite) {
    const { steps, lines } = describeResolution(input, facts, null)
    const shows = `The case is Resolved${since} by the same person with this reason.`
    return { settled: true, shows, description: { steps, lines: [...lines, ...verbatim] } }
  }
  if (actorUserId !== null && resolvedByUserId !== null && !mine) {
    const shows = `Someone else resolved the case${since}.`
    return { settled: true, shows, notApplied: { class: 'failed', title: 'Someone else resolved it', lines: verbatim } }
  }
  const outcome = isOpposite ? `, the outcome ${resolutionOutcome}` : ''
  const shows = mine
    ? `The case is Resolved by the same person${outcome}, with the reason: ${resolutionReason ?? 'none given'}`
    : 'The case is Resolved. It is not known by whom.'
  return { settled: false, showsNoEffect: false, shows }
}

/** `POST Dispute/{caseId}/resolve`: final. */
export const disputeResolve = serviceCommand<Params, Facts, unknown>({
  kind: 'dispute.resolve',
  place: casePlace,
  keepsLine: isDecided,
  settledAs: 'dispute.settle',
  params,
  immediate: false,
  needsEnrolment: true,
  checkParams: ({ reason }) => faultsOf({ reason: reasonFault(reason) }),
  async readFacts(session, input, author = session.actor) {
    const { caseId, referenceId } = input
    const problem = await unlessClosedTo(session, caseId, author)
    if (problem !== null) return { ok: false, problem }
    const transaction = await readTransaction(session, referenceId)
    // Read after the transaction, so that a decision in between shows in the case.
    const [thread, claim, category] = await Promise.all([
      readWholeThread(session, caseId),
      claimOf(await store(), caseId),
      categoryFact(input),
    ])
    if (!thread.ok) return thread
    if (!transaction.ok) return transaction
    const { case: found, readAt, messages, missing } = thread.value
    // The journal hides changes from parties by this index.
    await indexCases(await store(), [found], readAt)
    const { state, debit, credit, fromAccountId, toAccountId } = transaction.value
    const latest = messages.at(-1)
    return {
      ...transaction,
      value: {
        referenceId: found.referenceId,
        status: found.status,
        resolvedByUserId: found.resolvedByUserId ?? '',
        resolutionReason: found.resolutionReason ?? '',
        raisedByUserId: found.raisedByUserId,
        counterpartyUserId: found.counterpartyUserId,
        messages: `${messages.length}${missing === 0 ? '' : ` of ${messages.length + missing}`}`,
        latestMessageId: seenUpTo(input, messages, userIdOf(author)),
        latestMessage: latest?.body ?? '',
        state,
        debit,
        credit,
        fromAccountId,
        toAccountId,
        claimedBy: claim === null || claim.holder === author ? '' : claim.holderName,
        ...category,
      },
    }
  },
  checkFacts,
  checkLast: async (session, input) => (await refusedUnlessAssignee(session, input)) ?? (await refusedIfRetired(input)),
  async warning(session, _params, facts) {
    const warnings = [
      facts.claimedBy === '' ? null : `This case is assigned to ${facts.claimedBy}. Talk to them first.`,
      facts.state === 'DISPUTED'
        ? null
        : 'The transaction is no longer disputed. The service may refuse, or close the case as the money went.',
      facts.messages.includes(' of ') ? `Only ${facts.messages} messages could be read.` : null,
      ...(await conflictsOfInterest(session, facts)),
    ].filter((warning) => warning !== null)
    return warnings.length === 0 ? null : warnings.join(' ')
  },
  /** Typing the name prevents an unintended decision of a colleague's case. */
  proof: (_params, { claimedBy }) =>
    claimedBy === '' ? null : { label: `Type the assignee’s name: ${claimedBy}`, expected: claimedBy },
  policyInput: ({ decision }, { debit }) => ({ amount: debit, decision }),
  parties: (_params, facts) => partiesOf(facts),
  refusesParties: { field: 'decision', fault: 'You are a party to this case. Someone else must resolve it.' },
  target: ({ caseId }) => caseId,
  locks: ({ referenceId }) => [{ key: `dispute:${referenceId}`, permanent: false }],
  describeLockConflict: () => ({
    field: 'caseId',
    what: 'This dispute is already being resolved, or its outcome is not known yet',
  }),
  title: ({ decision, caseId }, facts) => `${decisionWords(decision, facts).title} in case ${shortId(caseId)}`,
  doneTitle: ({ decision, caseId }, facts) => `${decisionWords(decision, facts).doneTitle} in case ${shortId(caseId)}`,
  button: ({ decision }, facts) => decisionWords(decision, facts).title,
  summary: (input, facts) => [
    { label: 'Case', value: input.caseId, as: 'id' },
    { label: 'Transaction', value: facts.referenceId, as: 'reference' },
    ...partyLines(input.decision, facts),
    ...categoryLines(facts),
    { label: 'Reason', value: input.reason, as: 'text' },
  ],
  factLines,
  async background(session, { caseId }) {
    const thread = await readWholeThread(session, caseId)
    return thread.ok ? [{ label: 'Reason of the dispute', value: thread.value.case.reason, as: 'text' }] : null
  },
  acknowledgedFacts: ['messages', 'latestMessageId', 'latestMessage', 'claimedBy', 'category'],
  affectedBy: [
    'dispute.resolve',
    'transaction.resolve',
    'dispute.message',
    'case.assign',
    'case.reassign-to-me',
    'case.reassign',
    'case.unassign',
    'category.save',
    'category.retire',
  ],
  consequence: ({ decision }, facts) =>
    `${decisionWords(decision, facts).sentence} The thread closes for both sides. This cannot be undone.`,
  send: (session, { caseId, decision, reason }) =>
    resolveCase(session, caseId, { releaseToRecipient: decision === 'release', resolutionReason: reason }),
  compareAnswer({ params: decided, facts, data, actorUserId }) {
    const checks = {
      ...decisionChecks(decided),
      id: equalsId(decided.caseId),
      referenceId: equals(facts.referenceId),
      ...(actorUserId === null ? {} : { resolvedByUserId: equalsId(actorUserId) }),
    }
    return compareDecision(decided.decision, data, checks, ['id', 'status'])
  },
  describeSuccess: (input, facts) => describeResolution(input, facts, null),
  describeFurther: async (session, input, facts, data) => {
    const reversal = input.decision === 'refund' ? await reversalIn(session, facts, data) : null
    return reversal === null ? null : describeResolution(input, facts, reversal)
  },
  async onSettled(trx, { commandId, actor, params: { caseId, category, reason } }) {
    await dropClaim(trx, caseId)
    await removeSentText(trx, actor, reasonPlace(caseId), (text) => (text === reason ? '' : text))
    if (category !== undefined)
      await putDecision(trx, { case_id: caseId, category_id: category, command_id: commandId })
  },
  async afterConfirming(session, { caseId }, state) {
    if (state !== 'done') await assignToAuthor(session, caseId)
  },
  async reconcile(session, input, { facts, actorUserId }) {
    const thread = await readWholeThread(session, input.caseId)
    if (!thread.ok) return thread.problem
    return seen(input, facts, thread.value.case, actorUserId)
  },
  reconcileScope: 'core:disputes:read',
  checking: 'Checking whether the case was resolved with this reason.',
  unknownAdvice: 'Don’t resolve it anywhere else yet.',
})
