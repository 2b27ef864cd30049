import 'server-only'
import { type RawBuilder, sql } from 'kysely'
import { issuedBy } from '#lib/cards/issued-cards.ts'
import type { Line } from '#lib/commands/command.ts'
import { type Agreement, compareFields, type Description, equals, resembles } from '#lib/commands/kind.ts'
import { findEffective } from '#lib/commands/queries.ts'
import { type DisputeCase, disputeCase } from '#lib/contract/disputes.ts'
import { operationResult, type Transaction } from '#lib/contract/transactions.ts'
import { CATEGORY_LINE } from '#lib/disputes/categories/category.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { readAccountHistory } from '#lib/transactions/transaction-service.ts'
import { Money } from '#lib/values/money.ts'
import {
  DECISION_LINE,
  type Decision,
  type Disputed,
  decisionWords,
  isAmong,
  type KnownReversal,
  REVERSAL_LINE,
} from './resolution.ts'

interface ResolutionInput {
  readonly caseId?: string
  readonly referenceId: string
  readonly decision: Decision
  readonly reason: string
}

/** Its name; absent if the decision has none. */
export type CategoryFact = Partial<Readonly<Record<'category', string>>>

export const categoryLines = ({ category }: CategoryFact): readonly Line[] =>
  category === undefined ? [] : [{ label: CATEGORY_LINE, value: category, as: 'text' }]

/** `reversal`: null until it is confirmed. */
export const describeResolution = (
  { caseId, referenceId, decision, reason }: ResolutionInput,
  disputed: Disputed & CategoryFact,
  reversal: string | null,
): Description => ({
  steps: [],
  lines: [
    { label: DECISION_LINE, value: decisionWords(decision, disputed).title, as: 'text' },
    ...(caseId === undefined ? [] : [{ label: 'Case', value: caseId, as: 'id' } satisfies Line]),
    { label: 'Transaction', value: referenceId, as: 'reference' },
    ...categoryLines(disputed),
    { label: 'Reason', value: reason, as: 'text' },
    ...(decision === 'refund' ? [reversalLine(reversal)] : []),
  ],
})

const reversalLine = (reversal: string | null): Line =>
  reversal === null
    ? { label: REVERSAL_LINE, value: 'Not confirmed yet. Check the sender’s history.', as: 'text' }
    : { label: REVERSAL_LINE, value: reversal, as: 'reference' }

export const decisionChecks = ({ decision, reason }: Pick<ResolutionInput, 'decision' | 'reason'>) => ({
  status: equals('RESOLVED'),
  state: equals('PROCESSED'),
  accepted: equals(false),
  releaseToRecipient: equals(decision === 'release'),
  resolutionReason: resembles(reason),
  resolutionOutcome: (outcome: unknown) => typeof outcome === 'string' && !contradictsDecision(decision, outcome),
})

const OPPOSITE = {
  refund: /^released?([_ -]?to[_ -]?recipient)?$/i,
  release: /^refund(ed)?([_ -]?to[_ -]?sender)?$/i,
} as const

/** The interface does not specify outcome values. */
export const contradictsDecision = (decision: Decision, outcome: string | null): boolean =>
  outcome !== null && OPPOSITE[decision].test(outcome.trim())

/** These fields never name the reversing transaction. */
const OTHER_TEXTS: ReadonlySet<string> = new Set(Object.keys({ ...disputeCase.shape, ...operationResult.shape }))

/** A refund's answer names the reversing transaction in an unspecified field, so any unknown text is required. */
export function compareDecision(
  decision: Decision,
  data: unknown,
  checks: Parameters<typeof compareFields>[1],
  proof: readonly string[],
): Agreement {
  // A refund's answer may be about the reversing transaction.
  const agreement = compareFields(data, checks, proof, decision === 'refund' ? ['referenceId'] : [])
  if (agreement !== 'agrees' || decision === 'release') return agreement
  const others = Object.entries(data as object).filter(([name]) => !OTHER_TEXTS.has(name))
  return textsIn(others.map(([, value]) => value)).length > 0 ? 'agrees' : 'silent'
}

const ROWS_READ = 100
/** The answer is unspecified, so the search in it is bounded. */
const TEXTS_MAX = 200
const DEPTH_MAX = 6

/** The text of the answer that is the reference of exactly one transaction back to the sender with the amount. */
export async function reversalIn(
  session: Session,
  disputed: Disputed & { readonly referenceId: string },
  data: unknown,
): Promise<string | null> {
  const texts = new Set(textsIn(data).slice(0, TEXTS_MAX))
  texts.delete(disputed.referenceId)
  if (texts.size === 0) return null
  const history = await readAccountHistory(session, disputed.fromAccountId, { page: 1, pageSize: ROWS_READ })
  if (!history.ok) return null
  const found = history.value.rows.flatMap((row) =>
    row.readable && texts.has(row.value.referenceId) && givesBack(row.value, disputed) ? [row.value.referenceId] : [],
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The service's clock may move between the resolution and its transaction. */
const REVERSED_WITHIN_MS = 60_000
const PAGES_READ_MAX = 20

type Resolution = Pick<DisputeCase, 'resolvedAt' | 'resolutionOutcome'>

/** For a resolution whose answer this console does not have. A match is shown, and never recorded as evidence. */
export async function matchReversal(
  session: Session,
  disputed: Disputed,
  { resolvedAt, resolutionOutcome }: Resolution,
): Promise<KnownReversal> {
  if (contradictsDecision('refund', resolutionOutcome)) return 'none'
  if (resolvedAt === null) return 'not-confirmed'
  const rows = await rowsSince(session, disputed.fromAccountId, Date.parse(resolvedAt) - REVERSED_WITHIN_MS)
  const fits = (rows ?? []).filter(
    (row) =>
      givesBack(row, disputed) && Math.abs(Date.parse(row.createdAt) - Date.parse(resolvedAt)) <= REVERSED_WITHIN_MS,
  )
  const [found, ...others] = new Set(fits.map(({ referenceId }) => referenceId))
  return found === undefined || others.length > 0 ? 'not-confirmed' : { reference: found, matched: true }
}

/** Null unless all of them could be read. */
async function rowsSince(session: Session, accountId: string, sinceMs: number): Promise<readonly Transaction[] | null> {
  const found: Transaction[] = []
  for (let page = 1; page <= PAGES_READ_MAX; page += 1) {
    const history = await readAccountHistory(session, accountId, { page, pageSize: ROWS_READ })
    if (!history.ok) return null
    const { rows, total } = history.value
    found.push(...rows.flatMap((row) => (row.readable ? [row.value] : [])))
    const oldest = found.at(-1)
    if (oldest !== undefined && Date.parse(oldest.createdAt) < sinceMs) return found
    if (rows.length === 0 || page * ROWS_READ >= total) return found
  }
  return null
}

function textsIn(data: unknown, depth = DEPTH_MAX): string[] {
  if (typeof data === 'string') return data === '' ? [] : [data]
  if (typeof data !== 'object' || data === null || depth === 0) return []
  return Object.values(data).flatMap((value) => textsIn(value, depth - 1))
}

function givesBack(row: Transaction, { fromAccountId, toAccountId, debit }: Disputed): boolean {
  const [paid, back] = [Money.fromWire(debit), Money.fromWire(row.credit)]
  return (
    row.state !== 'FAIL' &&
    isAmong(row.toAccountId, [fromAccountId]) &&
    isAmong(row.fromAccountId, [toAccountId]) &&
    paid !== null &&
    back?.equals(paid) === true
  )
}

interface Parties {
  readonly referenceId: string
  readonly fromAccountId: string
  readonly toAccountId: string
}

/** Earlier acts of this person, in this console, that may bias a decision. */
export async function conflictsOfInterest(
  session: Session,
  { referenceId, fromAccountId, toAccountId }: Parties,
): Promise<string[]> {
  const db = await store()
  const [confirmed, cards] = await Promise.all([
    findEffective(db, 'deposit.confirm', referenceId),
    issuedBy(db, session.actor, [fromAccountId, toAccountId]),
  ])
  return [
    ...(confirmed?.actor === session.actor ? ['You confirmed this deposit.'] : []),
    ...(cards > 0 ? ['You issued a card to one of the parties.'] : []),
  ]
}

export function hasConflict(actor: string): RawBuilder<boolean> {
  const customers = sql`(SELECT lower(user_id) FROM issued_card WHERE issuer = ${actor})`
  return sql<boolean>`id_key IN (
    SELECT id_key FROM case_index WHERE lower(raised_by) IN ${customers}
    UNION ALL SELECT id_key FROM case_index WHERE lower(counterparty) IN ${customers}
    UNION ALL SELECT id_key FROM case_index WHERE reference IN (
      SELECT unnest(ARRAY[target, lower(target), upper(target)]) FROM command
      WHERE actor = ${actor} AND kind = 'deposit.confirm' AND state IN ('done', 'applied')))`
}

export interface SettledDispute {
  readonly decision: Decision | null
  readonly hasCase: boolean
  readonly wasDisputed: boolean
}

/** The interface has no state or field for a refund: a refunded transaction is PROCESSED. */
export function settledSentence({ decision, hasCase, wasDisputed }: SettledDispute): string {
  if (decision === 'refund') return 'Settled. The sender was refunded by a reversing transaction.'
  if (decision === 'release') return 'Settled. The recipient can spend the funds.'
  if (hasCase) return 'Settled after a dispute. The case says whether the sender was refunded.'
  if (wasDisputed) return 'Settled after a dispute. A refund is not confirmed.'
  return transactionStateWords('PROCESSED').sentence
}
