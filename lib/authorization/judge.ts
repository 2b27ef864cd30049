import 'server-only'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { type Access, readAccess } from '#lib/service/scopes.ts'
import { administersBy } from '#lib/session/administers.ts'
import type { Session } from '#lib/session/session.ts'
import type { ThingEntry } from './routes.ts'
import { type ChangeRule, type Rule, things } from './table.ts'

/** Why a person may not. */
export interface Refusal {
  /** One of these would do; none where it takes administration. */
  readonly scopes: readonly Scope[]
  /** False when the person's scopes could not be read: then nobody knows that they lack them. */
  readonly known: boolean
  /** It is for those who administer this console. */
  readonly administration?: true
}

const ruleOf = (entry: ThingEntry): Rule => {
  const [thing, act] = entry.split('.') as [keyof typeof things, 'read' | 'write']
  return (things[thing] as Readonly<Record<'read' | 'write', Rule>>)[act]
}

/** Null when the person's known scopes fulfil the rule. */
export async function refusedBy(session: Session, rule: Rule): Promise<Refusal | null> {
  if (rule === 'own') return null
  if (rule === 'administration') return await refusedToAdminister(session)
  const { scopes } = await readAccess(session)
  if (scopes === null) return { scopes: rule, known: false }
  return rule.some((scope) => scopes.has(scope)) ? null : { scopes: rule, known: true }
}

async function refusedToAdminister(session: Session): Promise<Refusal | null> {
  const refusal = { scopes: [], known: true, administration: true } as const
  const decided = administersBy(session)
  if (typeof decided === 'boolean') return decided ? null : refusal
  const { scopes } = await readAccess(session)
  if (scopes === null) return { ...refusal, known: false }
  return decided.every((scope) => scopes.has(scope)) ? null : refusal
}

export const refusedFrom = (session: Session, entry: ThingEntry): Promise<Refusal | null> =>
  refusedBy(session, ruleOf(entry))

/** {@link permits} as far as `access` tells, for showing a control alone. */
export function permittedBy({ scopes }: Access, entry: ThingEntry): boolean {
  const rule = ruleOf(entry)
  if (rule === 'administration') return false
  return rule === 'own' || (scopes !== null && rule.some((scope) => scopes.has(scope)))
}

export const permits = async (session: Session, entry: ThingEntry): Promise<boolean> =>
  (await refusedFrom(session, entry)) === null

/** Null when the person may make a change of a kind. The service decides about its own where scopes could not be read. */
export async function refusedToMake(session: Session, { change, madeBy }: ChangeRule): Promise<Refusal | null> {
  const refusal = await refusedBy(session, change)
  return refusal !== null && !refusal.known && madeBy === 'service' ? null : refusal
}

/** What somebody lacks. */
export const scopeWords = ({ scopes, administration }: Refusal): string =>
  administration ? 'administration of this console' : scopes.join(' or ')

/** In the form of a refusal by the service. */
export function refusalProblem(refusal: Refusal): Problem {
  if (refusal.known && refusal.administration) {
    return problemOf('service', { status: 403, title: 'Only those who administer this console may do this.' })
  }
  if (refusal.known) {
    const scope = scopeWords(refusal)
    return problemOf('service', { status: 403, scope, title: `This needs the scope ${scope}.` })
  }
  return problemOf('service', { status: 403, title: 'Your scopes could not be read. Try again in a moment' })
}
