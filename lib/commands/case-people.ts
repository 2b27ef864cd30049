import 'server-only'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { log } from '#lib/config/log.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Person } from '#lib/domain/case-desk.ts'
import type { Session } from '#lib/session/session.ts'
import { dropCandidate, listCandidates, putCandidate } from '#lib/store/case-people.ts'
import { store } from '#lib/store/store.ts'
import { partyActors } from './case-sight.ts'
import { onceIn } from './once-in.ts'

/** People who were not here for so long are not offered. */
const KNOWN_MS = 14 * 86_400_000
/** A session is noted once in this time. */
const NOTED_MS = 600_000

/** To whom this person can hand a case over: colleagues who were seen here with the scope to decide it. */
export async function peopleFor({ actor: own }: Session, found: DisputeCase): Promise<readonly Person[]> {
  const people = await listCandidates(await store(), new Date(Date.now() - KNOWN_MS).toISOString())
  const parties = partyActors(found)
  return people.filter(({ actor }) => actor !== own && !parties.includes(actor.toLowerCase()))
}

const shared = globalThis as typeof globalThis & { consoleCandidates?: Map<string, number> }

/**
 * Notes whether a person who is here can be given a case. Nobody can read the scopes of others for certain, so it is
 * written down from their own. Never throws: it is done in passing.
 */
export async function noteCandidate(session: Session): Promise<void> {
  shared.consoleCandidates ??= new Map()
  const noted = shared.consoleCandidates
  if (!onceIn(noted, session.id, NOTED_MS)) return
  const refusal = await refusedFrom(session, 'assignable.write')
  if (refusal?.known === false) return void noted.delete(session.id)
  try {
    const { actor, displayName: name } = session
    if (refusal === null) await putCandidate(await store(), { actor, name })
    else await dropCandidate(await store(), actor)
  } catch {
    noted.delete(session.id)
    log().warn({ event: 'case-candidate' }, 'who can be given a case cannot be written down')
  }
}
