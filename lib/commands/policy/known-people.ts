import 'server-only'
import { type Kysely, sql } from 'kysely'
import { refusedBy } from '#lib/authorization/judge.ts'
import type { ChangeRule, Rule } from '#lib/authorization/table.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import { log } from '#lib/config/log.ts'
import { boundedCache, perProcess } from '#lib/config/per-process.ts'
import { scopes as contractScopes } from '#lib/contract/scopes.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isUuid } from '#lib/values/ids.ts'

export const KNOWN_DAYS = 30

const knownSince = (): string => new Date(Date.now() - KNOWN_DAYS * 86_400_000).toISOString()

export interface KnownPerson {
  readonly actor: string
  /** Empty if an earlier version of the console recorded them. */
  readonly name: string
  readonly scopes: ReadonlySet<string>
  readonly administers: boolean
  readonly hasPasskey: boolean
}

export interface KnownPeople {
  readonly people: readonly KnownPerson[]
  /** They signed in, but their scopes were never read. */
  readonly unread: readonly string[]
}

/** Those who signed in within the last {@link KNOWN_DAYS} days. */
export async function readKnownPeople(db: Kysely<Tables>): Promise<KnownPeople> {
  const known = await db
    .selectFrom('known_person')
    .select(['actor', 'name', 'scopes', 'administers'])
    .select(sql<boolean>`EXISTS (SELECT FROM passkey WHERE passkey.actor = known_person.actor)`.as('hasPasskey'))
    .where('known_at', '>', knownSince())
    .execute()
  const signedIn = await db
    .selectFrom('audit_entry')
    .select('actor')
    .distinct()
    .where('kind', '=', 'session.sign-in')
    .where('at', '>', knownSince())
    .where('actor', 'not in', db.selectFrom('known_person').select('actor').where('known_at', '>', knownSince()))
    .execute()
  return {
    people: known.map(({ scopes, ...person }) => ({ ...person, scopes: new Set(JSON.parse(scopes) as string[]) })),
    unread: signedIn.map(({ actor }) => actor),
  }
}

/** The scopes and rights of a person who decides; a passkey is judged apart. */
export function mayDecide(person: KnownPerson, { change, others }: ChangeRule, need: ApprovalNeed): boolean {
  if (others === 'own' || (need.administers && !person.administers)) return false
  return holds(person, change) && holds(person, others) && need.scopes.every((scope) => person.scopes.has(scope))
}

export function holds({ scopes, administers }: KnownPerson, rule: Rule): boolean {
  if (rule === 'own') return true
  return rule === 'administration' ? administers : rule.some((scope) => scopes.has(scope))
}

const NOTED_MS = 600_000
const NOTED_MAX = 1_000

/** The console cannot read other people's scopes, so it records them from each person's own session. Never throws. */
export async function recordKnownPerson(session: Session): Promise<void> {
  if (!isUuid(session.userId)) return
  const noted = perProcess('known people', () => boundedCache<string>(NOTED_MAX, NOTED_MS))
  try {
    const { scopes: held } = await readAccess(session)
    if (held === null) return
    const administers = (await refusedBy(session, 'administration')) === null
    const scopes = JSON.stringify(contractScopes.filter((scope) => held.has(scope)))
    const { actor, displayName: name } = session
    const rights = `${administers} ${scopes} ${name}`
    if (noted.get(session.id) === rights) return
    noted.set(session.id, rights)
    await putKnownPerson(await store(), { actor, name, scopes, administers })
  } catch {
    noted.delete(session.id)
    log().warn({ event: 'known-person' }, 'the scopes of a person could not be saved')
  }
}

async function putKnownPerson(
  db: Kysely<Tables>,
  person: Pick<KnownPerson, 'actor' | 'name' | 'administers'> & { readonly scopes: string },
): Promise<void> {
  const row = { ...person, known_at: new Date().toISOString() }
  await db.deleteFrom('known_person').where('known_at', '<', knownSince()).execute()
  await db
    .insertInto('known_person')
    .values(row)
    .onConflict((conflict) => conflict.column('actor').doUpdateSet(row))
    .execute()
}
