import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type Agreement,
  type Answered,
  type Description,
  type FieldFaults,
  faultsOf,
  type Reconciliation,
  serviceCommand,
} from '#lib/commands/kind.ts'
import { ERASED } from '#lib/commands/row.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import type { ConfirmResult, Transaction } from '#lib/contract/transactions.ts'
import { send } from '#lib/service/client.ts'
import { referenceFault, spellingFault, stateSince, transactionStateWords } from '#lib/transactions/transaction.ts'
import { readAnyTransaction, readTransaction, statesSeen } from '#lib/transactions/transaction-service.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { cleanReference, invisibleWords, withoutInvisible } from '#lib/values/text.ts'
import { timeInText } from '#lib/values/time.ts'
import { readTypedAmount } from '#lib/values/typed-amount.ts'
import { compareAmounts, confirmFault, type TransferFact, transferFact } from './amounts.ts'
import { editorsOf, flagsOfConfirmation, freeLineOf } from './by-hand.ts'
import {
  amountFaultWords,
  bankLock,
  bankReferenceFault,
  depositSteps,
  HOLD_ENDS,
  holdEnd,
  isConfirmed,
  placeOfDeposit,
  RECIPIENT_FAULT,
} from './deposit.ts'
import { endHandOver } from './hand-over.ts'
import { rememberPayer } from './payer-memory.ts'

interface Params {
  readonly referenceId: string
  readonly bankReference: string
  readonly statementAmount: string
  readonly removed?: string
}

const text = z.string()

const params = z
  .strictObject({ referenceId: text, bankReference: text, statementAmount: text, removed: text.optional() })
  .transform(({ removed: _, ...input }): Params => {
    const removed = invisibleWords(input.bankReference)
    return removed === null ? input : { ...input, bankReference: withoutInvisible(input.bankReference), removed }
  })

type Facts = Readonly<Record<'referenceId' | 'state' | 'debit' | 'credit' | 'toAccountId' | 'createdAt', string>> &
  TransferFact

function checkParams({ referenceId, bankReference, statementAmount }: Params): FieldFaults {
  const amount = readTypedAmount(statementAmount)
  return faultsOf({
    referenceId: referenceFault(referenceId),
    bankReference: bankReferenceFault(bankReference),
    statementAmount: amount.ok ? null : amountFaultWords[amount.fault],
  })
}

function checkFacts({ referenceId, statementAmount }: Params, facts: Facts): FieldFaults {
  const fault = spellingFault(referenceId, facts.referenceId) ?? confirmFault(facts)
  if (fault !== null) return { referenceId: fault }
  const comparison = compareAmounts(statementAmount, facts.debit)
  if (comparison === null) return { statementAmount: 'The amounts cannot be compared.' }
  if (comparison.match) return {}
  const { difference, statementIsMore } = comparison
  const direction = statementIsMore ? 'more' : 'less'
  return { statementAmount: `The statement is ${shownAmount(difference)} BZD ${direction} than the transaction.` }
}

function factsOf(transaction: Transaction): Facts {
  const { referenceId, state, debit, credit, toAccountId, createdAt } = transaction
  return { referenceId, state, debit, credit, toAccountId, createdAt, ...transferFact(transaction) }
}

const factLines = (facts: Facts): Line[] => [
  { label: 'State', value: facts.state, as: 'state' },
  { label: 'Sender pays', value: facts.debit, as: 'money' },
  { label: 'Recipient gets', value: facts.credit, as: 'money' },
  { label: 'Holder', value: facts.toAccountId, as: 'id' },
]

const optional = (label: string, value: string, as: Line['as']): Line[] => (value === '' ? [] : [{ label, value, as }])

const chainLines = (answer: Pick<ConfirmResult, 'chainReferenceId' | 'txContractAddress'>): Line[] => [
  ...optional('Chain reference', answer.chainReferenceId, 'reference'),
  ...optional('Contract address', answer.txContractAddress, 'reference'),
]

function compareAnswer({ facts, data }: Answered<Params, Facts, ConfirmResult>): Agreement {
  const { referenceId, state, accepted } = data
  if (referenceId !== facts.referenceId) return 'contradicts'
  if (isConfirmed(state)) return accepted ? 'silent' : 'agrees'
  return IS_ON_ITS_WAY.has(state) ? 'silent' : 'contradicts'
}

const IS_ON_ITS_WAY: ReadonlySet<string> = new Set(['PENDING', 'BLOCKED'])

async function sinceWords(transaction: Transaction): Promise<string> {
  const { referenceId, state } = transaction
  const since = stateSince(transaction)
  if (since !== null) return ` since ${timeInText(since)}`
  const seen = (await statesSeen(referenceId))?.find((one) => one.state === state)
  return seen === undefined ? '' : `, seen here since ${timeInText(seen.firstSeenAt)}`
}

function seen(transaction: Transaction, facts: Facts, since: string): Reconciliation {
  const { referenceId, state, failReason } = transaction
  if (referenceId !== facts.referenceId) {
    return { settled: false, showsNoEffect: false, shows: 'The service answered for another transaction.' }
  }
  const { word, sentence } = transactionStateWords(state)
  const shows = `The deposit is ${word}${since}: ${sentence}`
  const description = {
    steps: depositSteps(state),
    lines: [{ label: 'State', value: state, as: 'state' }, ...chainLines(transaction)],
  } as const satisfies Description
  if (isConfirmed(state)) return { settled: true, shows, description }
  if (state === 'FAIL') {
    const reason: Line = { label: 'Reason', value: failReason === '' ? 'none given' : failReason, as: 'text' }
    return {
      settled: true,
      shows,
      notApplied: { class: 'failed', title: 'The deposit failed permanently', lines: [...description.lines, reason] },
    }
  }
  const meaning: Line[] = description.steps.length === 0 ? [{ label: 'Meaning', value: sentence, as: 'text' }] : []
  // PENDING is under way. BLOCKED is under review. An unknown state proves nothing.
  return {
    settled: false,
    showsNoEffect: state === 'QUEUED',
    shows,
    isUnderWay: state === 'PENDING',
    description: { ...description, lines: [...description.lines, ...meaning] },
  }
}

/** `POST Transaction/deposit/confirm`: mints the balance and holds it for 24 hours. */
export const depositConfirm = serviceCommand<Params, Facts, ConfirmResult>({
  kind: 'deposit.confirm',
  async eraseText(trx, { id }) {
    const texts = { payer_name: '', payer_account: '', text: ERASED }
    await trx.updateTable('statement_line').set(texts).where('command_id', '=', id).execute()
  },
  place: placeOfDeposit,
  settledAs: 'deposit.settle',
  params,
  immediate: false,
  checkParams,
  async readFacts(session, { referenceId }) {
    const result = await readTransaction(session, referenceId)
    return result.ok ? { ...result, value: factsOf(result.value) } : result
  },
  checkFacts,
  policyInput: (_params, { debit }) => ({ amount: debit }),
  target: ({ referenceId }) => referenceId,
  locks: ({ referenceId, bankReference }) => [
    { key: `deposit:${referenceId}`, permanent: false },
    { key: bankLock(bankReference), permanent: true },
  ],
  describeLockConflict: (key, { bankReference }) =>
    key.startsWith('bank:')
      ? {
          field: 'bankReference',
          what: `The bank’s reference ${bankReference.trim()} is already in use in this console`,
        }
      : { field: 'referenceId', what: 'This deposit is already being confirmed' },
  title: (_params, facts) => `Confirm deposit of ${shownAmount(facts.debit)} BZD`,
  doneTitle: (_params, facts) => `Deposit of ${shownAmount(facts.debit)} BZD confirmed`,
  summary: ({ bankReference, removed }, facts) => [
    { label: 'Reference', value: facts.referenceId, as: 'reference' },
    { label: 'Recipient', value: facts.toAccountId, as: 'id' },
    { label: 'Amount', value: facts.debit, as: 'money' },
    { label: 'Bank’s reference', value: bankReference.trim(), as: 'mono' },
    ...optional('Removed from the bank’s reference', removed ?? '', 'text'),
    { label: 'Announced', value: facts.createdAt, as: 'time' },
  ],
  factLines,
  parties: (_params, { toAccountId }) => [toAccountId],
  refusesParties: { field: 'referenceId', fault: RECIPIENT_FAULT },
  policyFlags: flagsOfConfirmation,
  enteredBy: editorsOf,
  consequence: () =>
    `The balance is minted and held for ${DEPOSIT_HOLD_HOURS} hours. A reversal is possible only in that time, not from this console.`,
  send: (session, { referenceId, bankReference }) =>
    send(
      session,
      endpoints.transactions.confirmDeposit,
      {},
      { referenceId, bankReference: cleanReference(bankReference) },
    ),
  async onSettled(trx, { commandId, params }) {
    await endHandOver(trx, params.referenceId)
    await rememberPayer(trx, commandId)
  },
  onWithdrawn: freeLineOf,
  compareAnswer,
  describeSuccess(_params, _facts, { state, ...answer }, serviceTime) {
    const holdEnds = state === 'PROCESSING' && serviceTime !== null ? holdEnd(serviceTime) : ''
    return {
      steps: depositSteps(state),
      lines: [
        { label: 'State', value: state, as: 'state' },
        ...optional(HOLD_ENDS, holdEnds, 'time'),
        ...chainLines(answer),
      ],
    }
  },
  async reconcile(session, { referenceId }, { facts }) {
    const result = await readAnyTransaction(session, referenceId)
    return result.ok ? seen(result.value, facts, await sinceWords(result.value)) : result.problem
  },
  reconcileScope: 'core:transactions:read',
  checking: 'Checking whether the deposit was confirmed.',
  unknownAdvice: 'Don’t confirm it anywhere else yet.',
})
