import 'server-only'
import pLimit from 'p-limit'
import { isShuttingDown } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { compareAmounts, confirmFault } from '#lib/deposits/amounts.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { liveSessions } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isUnknownReference, referenceFault, TRANSFER } from '#lib/transactions/transaction.ts'
import { readAccountHistory, readTransaction } from '#lib/transactions/transaction-service.ts'
import { type LineChange, saveMatch } from './line-changes.ts'
import { findToLookUp, type LineToLookUp } from './line-table.ts'
import { findStatement } from './statement-table.ts'
import type { AmountVerdict } from './statement-view.ts'
import { type PayerSearch, type Suggested, searchText, searchWallets, type TextSearch } from './suggestions.ts'
import {
  type AbandonedLookup,
  abandonedLookups,
  type Detach,
  endLook,
  forEveryone,
  goOn,
  type LookupScope,
  PAUSES_MAX,
  pauseMs,
  type Run,
  startWork,
  UNANSWERED_MAX,
} from './work.ts'

const AT_ONCE = 4

/** False while other work runs. */
export async function startMatching(
  session: Session,
  statementId: string,
  detach: Detach,
  scope: LookupScope = 'unread',
): Promise<boolean> {
  const db = await store()
  const lines = await findToLookUp(db, statementId, scope)
  if (lines.length === 0 && scope === 'unread') return (await findStatement(db, statementId))?.discarded_at === null
  const run = (run: Run) => lookUpAll(session, run, lines)
  return await startWork(session, statementId, { work: 'look', scope, total: lines.length, run }, detach)
}

/** Continues lookups whose process died, for sessions open here. Lookups only read, so an overlap does no harm. */
export async function resumeLookingUp(): Promise<void> {
  if (isShuttingDown()) return
  for (const look of await abandonedLookups()) {
    const session = liveSessions().get(look.session)
    if (!look.sessionLives) await endLook(look, sessionEnded(look.by))
    else if (session !== undefined) await resume(session, look)
  }
}

async function resume(session: Session, look: AbandonedLookup): Promise<void> {
  const lines = await findToLookUp(await store(), look.id, look.scope, look.run)
  const run = (run: Run) => lookUpAll(session, run, lines)
  await goOn(look, { work: 'look', scope: look.scope, total: lines.length, run })
}

const sessionEnded = (by: string): string => `The session of ${by} has ended. Look up the rest again.`

async function lookUpAll(session: Session, run: Run, lines: readonly LineToLookUp[]): Promise<string> {
  const search = searchOf(session)
  let unanswered = 0
  let ended = ''
  let pausing: Promise<boolean> | null = null
  const pause = async (seconds: number | null, pauses: number): Promise<boolean> => {
    pausing ??= run.pause(pauseMs(seconds, pauses)).finally(() => {
      pausing = null
    })
    return await pausing
  }
  await pLimit(AT_ONCE).map(lines, async (line) => {
    if (ended !== '') return
    if (!(await run.goesOn())) {
      ended = 'Stopped.'
      return
    }
    let problem = await lookUp(run.statementId, line, search, run.number)
    for (let pauses = 0; isTooMany(problem) && pauses < PAUSES_MAX; pauses += 1) {
      if (!(await pause(problem.retryAfterSeconds, pauses))) {
        ended = 'Stopped.'
        return
      }
      problem = await lookUp(run.statementId, line, search, run.number)
    }
    run.done += 1
    unanswered = problem?.status === null ? unanswered + 1 : 0
    const hopeless =
      problem?.kind === 'session-over' || problem?.status === 403 || isTooMany(problem) || unanswered >= UNANSWERED_MAX
    if (problem !== null && hopeless) ended = endedBy(session, problem)
  })
  return ended
}

const isTooMany = (problem: Problem | null): problem is Problem => problem?.status === 429

const endedBy = (session: Session, problem: Problem): string =>
  problem.kind === 'session-over'
    ? sessionEnded(session.displayName)
    : `${forEveryone(problemWords(problem).title, session)}. The rest was not looked up.`

type Search = TextSearch & PayerSearch & { readonly by: string }

/** Reads each reference, and the newest transactions of each wallet, once per run. */
const searchOf = (session: Session): Search => ({
  by: session.displayName,
  read: oncePerRun((reference) => readTransaction(session, reference)),
  queuedOf: oncePerRun((wallet) => readQueued(session, wallet)),
})

function oncePerRun<Value>(read: (id: string) => Promise<Result<Value>>): (id: string) => Promise<Result<Value>> {
  const reads = new Map<string, Promise<Result<Value>>>()
  return async (id) => {
    const reading = reads.get(id) ?? read(id)
    reads.set(id, reading)
    const result = await reading
    if (!result.ok && isTooMany(result.problem)) reads.delete(id)
    return result
  }
}

/** interface.md, "Limits". */
const NEWEST = { page: 1, pageSize: 100 }

async function readQueued(session: Session, wallet: string): Promise<Result<readonly Transaction[]>> {
  const result = await readAccountHistory(session, wallet, NEWEST)
  if (!result.ok) return result
  const rows = result.value.rows.flatMap((row) => (row.readable ? [row.value] : []))
  return { ...result, value: rows.filter(({ state }) => state === 'QUEUED') }
}

/** Balances are in BZD (interface.md, "What the service does"). */
const CURRENCY = 'BZD'

interface LineAmount {
  readonly amount: string
  readonly currency: string
}

export function amountVerdict({ amount, currency }: LineAmount, debit: string): AmountVerdict {
  if (currency !== '' && currency !== CURRENCY) return 'other-currency'
  return compareAmounts(amount, debit) ?? 'unreadable'
}

function agrees(line: LineAmount, found: Pick<Transaction, 'state' | 'debit' | 'credit' | 'transactionType'>): boolean {
  const amount = amountVerdict(line, found.debit)
  return confirmFault(found) === null && typeof amount === 'object' && amount.match
}

/** Returns the problem that prevented the lookup, or null. */
async function lookUp(
  statementId: string,
  line: LineToLookUp,
  search: Search,
  run: number | null = null,
): Promise<Problem | null> {
  const result = referenceFault(line.sought) === null ? await search.read(line.sought) : null
  const nothing = { found_state: null, found_debit: null, found_credit: null, problem: null, note: null }
  const looked = { ...nothing, looked_at: new Date().toISOString(), looked_run: run }
  const keep = async (change: LineChange, suggested: Suggested = { found: [], isWhole: false }) =>
    await saveMatch(await store(), { statementId, ...line }, { ...looked, ...change }, suggested)
  const failed = async (problem: Problem) => {
    // The line is not done, so that another session or a retry reads it.
    const looked = problem.kind === 'session-over' || isTooMany(problem) ? { looked_run: null } : {}
    await keep({ verdict: 'unread', problem: JSON.stringify({ ...problem, by: search.by }), ...looked })
    return problem
  }
  if (result?.ok && result.value.referenceId === line.sought) {
    const { state, debit, credit, transactionType } = result.value
    const note = transactionType === TRANSFER || state === 'QUEUED' ? confirmFault(result.value) : null
    const found = { found_state: state, found_debit: debit, found_credit: credit, note }
    await keep({ ...found, verdict: agrees(line, result.value) ? 'ready' : 'mismatched' })
    return null
  }
  if (result !== null && !result.ok && !isUnknownReference(result.problem)) return await failed(result.problem)
  // The service answered for another spelling, which becomes a suggestion.
  const searched = await searchText(search, line, result?.ok ? [result.value] : [])
  if (!searched.ok) return await failed(searched.problem)
  const isFitting = (transaction: Transaction) => agrees(line, transaction)
  const suggested =
    searched.found.length > 0 ? searched : await searchWallets(search, { statementId, ...line }, isFitting)
  if (!suggested.ok) return await failed(suggested.problem)
  await keep({ verdict: 'unknown' }, suggested)
  return null
}

export const matchLine = (session: Session, statementId: string, line: LineToLookUp): Promise<Problem | null> =>
  lookUp(statementId, line, searchOf(session))
