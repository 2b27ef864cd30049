import 'server-only'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Person } from '#lib/domain/case-desk.ts'
import { idleMs } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'
import { knownPeople } from '#lib/store/case-people.ts'
import { store } from '#lib/store/store.ts'
import { partyActors } from './case-sight.ts'

const WORKED_MS = 14 * 86_400_000

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** To whom this person can hand a case over. Scopes of others cannot be read: they are refused when they act. */
export async function peopleFor({ actor: own }: Session, found: DisputeCase): Promise<readonly Person[]> {
  const people = await knownPeople(await store(), { now: ago(0), active: ago(idleMs()), worked: ago(WORKED_MS) })
  const parties = partyActors(found)
  return people.filter(({ actor }) => actor !== own && !parties.includes(actor.toLowerCase()))
}
