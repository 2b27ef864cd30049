import 'server-only'
import { sql } from 'kysely'
import { refusalProblem, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { canView } from '#lib/commands/access.ts'
import { exportDossier } from '#lib/commands/evidence.ts'
import { inAnyCase } from '#lib/commands/search.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { recordAnswers } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { readWholeThread } from './thread/case-thread.ts'
import { readCaseAsStaff } from './workspace/case-people.ts'

type Exported = Awaited<ReturnType<typeof exportDossier>>

const refused = (problem: Problem): Exported => ({ ok: false, problem })

/** As the service answers now, with each change that the person may see. Waits up to 30 s for the witness. */
export async function exportCaseEvidence(session: Session, caseId: string): Promise<Exported> {
  const allowed = await readCaseAsStaff(session, caseId)
  if (!allowed.ok) return refused(allowed.problem)
  const { id, referenceId } = allowed.value
  const { value: problem, answers } = await recordAnswers(() => readAll(session, id, referenceId))
  if (problem !== null) return refused(problem)
  // Earlier versions stored some ids as the address had them.
  const isAbout = sql<boolean>`(target = ANY(${[...inAnyCase(id), referenceId]}::text[])
    OR kind IN ('dispute.resolve', 'dispute.message') AND lower(target) = ${id.toLowerCase()})`
  const isOfThese = sql<boolean>`(${isAbout}
    OR kind IN ('dispute.settle', 'deposit.settle') AND target IN (SELECT id FROM command WHERE ${isAbout}))`
  const rows = await (await store()).selectFrom('command').selectAll().where(isOfThese).execute()
  const visible = await Promise.all(
    rows
      .filter(({ kind }) => kind !== 'evidence.export')
      .map(async (row) => ((await canView(session, row)) ? [row.id] : [])),
  )
  // Scopes may lapse while the thread is read.
  const unread = await refusedWithoutScopes(session)
  if (unread !== null) return refused(refusalProblem(unread))
  return await exportDossier(session, { target: id, of: `case ${id}`, commands: visible.flat(), answers })
}

async function readAll(session: Session, caseId: string, referenceId: string): Promise<Problem | null> {
  const thread = await readWholeThread(session, caseId)
  if (!thread.ok) return thread.problem
  if (thread.value.missing > 0) return problemOf('unreadable', { status: 200 })
  const transaction = await readTransaction(session, referenceId)
  return transaction.ok || transaction.problem.status === 404 ? null : transaction.problem
}
