import 'server-only'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { type Access, readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import type { ThingEntry } from './routes.ts'
import { type ChangeRule, type Rule, things } from './table.ts'

export interface Refusal {
  /** Any one is enough; empty for administration. */
  readonly scopes: readonly Scope[]
  /** False if the scopes could not be read. */
  readonly known: boolean
  readonly administration?: true
}

const ruleOf = (entry: ThingEntry): Rule => {
  const [thing, act] = entry.split('.') as [keyof typeof things, 'read' | 'write']
  return (things[thing] as Readonly<Record<'read' | 'write', Rule>>)[act]
}

export async function refusedBy(session: Session, rule: Rule): Promise<Refusal | null> {
  if (rule === 'own') return null
  if (rule === 'administration') return await refusedToAdminister(session)
  const { scopes } = await readAccess(session)
  if (scopes === null) return { scopes: rule, known: false }
  return rule.some((scope) => scopes.has(scope)) ? null : { scopes: rule, known: true }
}

/** The refusal of one of these rules because the scopes could not be read; null if all are decided. */
export async function refusedUnread(session: Session, rules: readonly Rule[]): Promise<Refusal | null> {
  for (const rule of rules) {
    const refusal = await refusedBy(session, rule)
    if (refusal?.known === false) return refusal
  }
  return null
}

/** For answers that lack the changes of others until the scopes can be read. */
export const refusedWithoutScopes = async (session: Session): Promise<Refusal | null> =>
  (await readAccess(session)).scopes === null ? { scopes: [], known: false } : null

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

/** For display only. */
export function permittedBy({ scopes }: Access, entry: ThingEntry): boolean {
  const rule = ruleOf(entry)
  if (rule === 'administration') return false
  return rule === 'own' || (scopes !== null && rule.some((scope) => scopes.has(scope)))
}

export const permits = async (session: Session, entry: ThingEntry): Promise<boolean> =>
  (await refusedFrom(session, entry)) === null

/** If the scopes are unreadable, the service decides about its own changes. */
export async function refusedToMake(session: Session, { change, madeBy }: ChangeRule): Promise<Refusal | null> {
  const refusal = await refusedBy(session, change)
  return refusal !== null && !refusal.known && madeBy === 'service' ? null : refusal
}

export const scopeWords = ({ scopes, administration }: Refusal): string =>
  administration ? 'administrator rights' : scopes.join(' or ')

const UNREAD_SECONDS = 5

export function refusalProblem(refusal: Refusal): Problem {
  if (refusal.known && refusal.administration) {
    return problemOf('service', { status: 403, title: 'Only administrators of this console can do this.' })
  }
  if (refusal.known) {
    const scope = scopeWords(refusal)
    return problemOf('service', { status: 403, scope, title: `This needs the scope ${scope}.` })
  }
  const title = 'Your scopes could not be read. Try again in a moment'
  return problemOf('service', { status: 403, title, retryAfterSeconds: UNREAD_SECONDS })
}

/** An array: the person needs all of these scopes. For single sign-on a configured claim decides alone. */
function administersBy({ method, adminByClaim }: Session): boolean | readonly Scope[] {
  const { adminClaim, adminScopes } = config()
  if (method === 'sso' && adminClaim !== null) return adminByClaim
  return adminScopes.length > 0 && adminScopes
}
