import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { AnyFacts, CommandKind, RecordKind, ServiceKind } from '#lib/commands/kind.ts'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isPartyOf } from './case-people.ts'
import { closedAdvice, closedTitle } from './workspace.ts'
import { claimOf } from './workspace-tables.ts'

interface InCase {
  readonly caseId: string
}

/** With `ASSIGNED_CASES=closed` only the assignee acts in an assigned case. Checked on drafting and before sending. */
export function forAssignee<Params extends InCase, Facts extends AnyFacts, Data>(
  kind: ServiceKind<Params, Facts, Data>,
): ServiceKind<Params, Facts, Data>
export function forAssignee<Params extends InCase, Facts extends AnyFacts>(
  kind: RecordKind<Params, Facts>,
): RecordKind<Params, Facts>
export function forAssignee<Params extends InCase, Facts extends AnyFacts, Data>(
  kind: CommandKind<Params, Facts, Data>,
): CommandKind<Params, Facts, Data> {
  const guarded: Pick<CommandKind<Params, Facts, Data>, 'readFacts' | 'send'> = {
    async readFacts(session, params, author) {
      // An approver only reads the change.
      const reads = author !== undefined && author !== session.actor
      const problem = reads ? null : await closedTo(session, params.caseId)
      return problem === null ? await kind.readFacts(session, params, author) : { ok: false, problem }
    },
    async send(session, params, code) {
      const problem = await closedTo(session, params.caseId)
      if (problem === null) return await kind.send(session, params, code)
      return { kind: 'own', refusal: { title: problem.title ?? '', advice: closedAdvice } }
    },
  }
  return { ...kind, ...guarded } as CommandKind<Params, Facts, Data>
}

/** Null if the person may act. Parties always may, because they do not know the assignee. */
async function closedTo(session: Session, caseId: string): Promise<Problem | null> {
  if (config().assignedCases === 'open') return null
  const claim = await claimOf(await store(), caseId)
  if (claim === null || claim.holder === session.actor) return null
  const found = await readCase(session, caseId)
  if (!found.ok) return found.problem
  if (isPartyOf(found.value, session)) return null
  const name = (await permits(session, 'caseWorkspace.read')) ? claim.holderName : 'somebody else'
  return problemOf('service', { status: 403, title: `${closedTitle(name)}. ${closedAdvice}` })
}
