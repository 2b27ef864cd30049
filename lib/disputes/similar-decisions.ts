import 'server-only'
import { sql } from 'kysely'
import { isPartyIn } from '#lib/commands/hidden-from-parties.ts'
import { factsOf, paramsOf } from '#lib/commands/row.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { listCategories } from './categories/category-table.ts'
import { beginningOf } from './queue/case-index.ts'
import { probeCaseList } from './queue/case-list-probe.ts'
import { sweepsNow } from './queue/case-sweeps.ts'
import { ageWords } from './queue/words.ts'
import { type Decision, type Disputed, decisionWords, isLikeReason, type SimilarDecisions } from './resolution.ts'
import { readCaseAsStaff } from './workspace/case-people.ts'

const SHOWN_MAX = 10
const COMPARED_MAX = 1_000

interface DecisionParams {
  readonly decision: Decision
  readonly reason: string
  readonly category?: string
}

/** Newest first, those with the same two parties before those with a like reason. */
export async function similarDecisions(session: Session, caseId: string): Promise<Result<SimilarDecisions>> {
  const found = await readCaseAsStaff(session, caseId)
  if (!found.ok) return found
  const { adminView, problem } = await probeCaseList(session)
  if (adminView !== 'proved') {
    return { ok: false, problem: problem ?? problemOf('service', { status: 403, title: NOT_ADMIN }) }
  }
  const old = ageWords(await sweepsNow()).replace(/\.$/, '')
  if (old !== '') return { ok: false, problem: problemOf('console', { status: 503, title: old }) }
  const { raisedByUserId, counterpartyUserId, reason } = found.value
  const db = await store()
  const sameParties = sql<boolean>`(${isPartyIn(raisedByUserId)} AND ${isPartyIn(counterpartyUserId)})`
  const compared = await db
    .selectFrom('command')
    .innerJoin('case_index', (join) => join.on('id_key', '=', sql`lower(command.target)`))
    .select(['command.id', 'case_index.reason', sameParties.as('same')])
    .where('kind', '=', 'dispute.resolve')
    .where('state', 'in', ['done', 'applied'])
    .where('id_key', '<>', caseId.toLowerCase())
    .where(({ not }) => not(isPartyIn(session.userId)))
    .orderBy('same', 'desc')
    .orderBy('sent_at', 'desc')
    .orderBy('command.id')
    .limit(COMPARED_MAX + 1)
    .execute()
  const beginning = beginningOf(reason)
  const similar = compared
    .slice(0, COMPARED_MAX)
    .filter(({ same, reason: other }) => same || isLikeReason(beginning, other))
  const shown = new Map(similar.slice(0, SHOWN_MAX).map(({ id, same }) => [id, same]))
  const rows =
    shown.size === 0
      ? []
      : await db
          .selectFrom('command')
          .selectAll()
          .where('id', 'in', [...shown.keys()])
          .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const categories = new Map((await listCategories(db)).map(({ id, name }) => [id, name]))
  const decisions = [...shown].flatMap(([id, same]) => {
    const row = byId.get(id)
    if (row === undefined) return []
    const { decision, reason: given, category } = paramsOf(row) as DecisionParams
    const facts = factsOf(row) as unknown as Disputed
    return [
      {
        caseId: row.target,
        outcome: decisionWords(decision, facts).doneTitle,
        amount: facts.debit,
        reason: given,
        category: categories.get(category ?? '') ?? null,
        by: row.actor === session.actor ? 'you' : row.actor_name,
        at: row.sent_at ?? row.created_at,
        sameParties: same,
      },
    ]
  })
  const isCut = compared.length > COMPARED_MAX
  return {
    ...found,
    value: { decisions, more: similar.length - shown.size, comparedMost: isCut ? COMPARED_MAX : null },
  }
}

const NOT_ADMIN = 'Your admin view is not confirmed'
