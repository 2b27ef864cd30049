import 'server-only'
import { type Refusal, refusalProblem, refusedBy } from '#lib/authorization/judge.ts'
import type { Rule } from '#lib/authorization/table.ts'
import { canView, ruleOfChange } from '#lib/commands/access.ts'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { genuineBodies } from '#lib/commands/genuine-events.ts'
import { isParty } from '#lib/commands/preflight.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { factsOf, paramsOf } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isUuid } from '#lib/values/ids.ts'
import type { NotToDecideWhy } from './approval.ts'
import { findRequest } from './approval-table.ts'

export interface NotToDecide {
  readonly why: NotToDecideWhy
  readonly problem: Problem
  readonly refusal: Refusal | null
  /** The answer must not reveal that the change exists. */
  readonly unseen?: true
}

const not = (why: NotToDecideWhy, title: string): NotToDecide => ({
  why,
  problem: problemOf('service', { status: 403, title }),
  refusal: null,
})

/** Without the service's user id, two accounts of one person look like two people. */
export const isKnownPerson = ({ userId }: Pick<Session, 'userId'>): boolean => isUuid(userId)

export async function whyNotDecide(session: Session, row: CommandRow): Promise<NotToDecide | null> {
  if (row.actor === session.actor) return not('author', 'This is your own change: somebody else must decide about it.')
  if (!isKnownPerson(session))
    return not('unknown-person', 'It is not known which person this account is, so it decides nothing.')
  if (!(await canView(session, row))) return { ...not('scope', 'You may not see this change.'), unseen: true }
  const db = await store()
  const request = await findRequest(db, row.id)
  const held: Rule[] = [ruleOfChange(row).change, ...(request?.scopes ?? []).map((scope) => [scope] as const)]
  if (request?.administers) held.push('administration')
  for (const rule of held) {
    const refusal = await refusedBy(session, rule)
    if (refusal !== null) return { why: 'scope', problem: refusalProblem(refusal), refusal }
  }
  const kind = kindNamed(row.kind)
  const [params, facts] = [paramsOf(row), factsOf(row)]
  if (isParty(kind, params, facts, session)) {
    return not('party', 'You are a party of this change: somebody else must decide about it.')
  }
  const enteredNow = (await kind?.enteredBy?.(db, params)) ?? []
  const enteredThen = (await genuineBodies(db, row.id)).flatMap(({ enteredBy }) => (enteredBy ?? []) as string[])
  if ([...enteredNow, ...enteredThen].includes(session.actor)) {
    return not('entered', 'You entered what this change is made of: somebody else must decide about it.')
  }
  return null
}
