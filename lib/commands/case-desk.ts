import 'server-only'
import { log } from '#lib/config/log.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Result } from '#lib/core-api/answer.ts'
import type { CaseDesk } from '#lib/domain/case-desk.ts'
import { lookAtCase } from '#lib/session/case-presence.ts'
import type { Session } from '#lib/session/session.ts'
import { claimOf, endClaims } from '#lib/store/case-claims.ts'
import { latestNotes } from '#lib/store/case-notes.ts'
import { viewersOf } from '#lib/store/case-viewers.ts'
import { store } from '#lib/store/store.ts'
import { noteCandidate, peopleFor } from './case-people.ts'
import { mayWorkOnCases, readCaseAsStaff } from './case-sight.ts'

/** More than anybody reads on a page; how many there are before them is told. */
const NOTES_MAX = 200

/**
 * What the console itself knows of a case, for staff who may see it. A case that the service shows as resolved is with
 * nobody any more, whoever resolved it: its claim ends here, when that is first seen.
 */
export async function readCaseDesk(session: Session, caseId: string): Promise<Result<CaseDesk>> {
  const seen = await seenLately(session, caseId)
  if (!seen.ok) return seen
  const { status } = seen.value
  await noteCandidate(session)
  const db = await store()
  if (status === 'RESOLVED') await endClaims(db, [caseId])
  const [mayWork, claim, viewers, { notes, earlier }, people] = await Promise.all([
    mayWorkOnCases(session),
    claimOf(db, caseId),
    viewersOf(db, caseId),
    latestNotes(db, caseId, NOTES_MAX),
    peopleFor(session, seen.value),
  ])
  const desk: CaseDesk = {
    me: session.actor,
    open: status === 'OPEN',
    mayWork,
    claim,
    viewers: viewers.filter(({ actor }) => actor !== session.actor),
    notes: notes.map(({ id, author_name: authorName, text, at }) => ({ id, authorName, text, at })),
    earlierNotes: earlier,
    people,
  }
  return { ...seen, value: desk }
}

/** Tells the colleagues that this person has the case open, once it is clear that they are of the staff; until the answer is called. */
export function lookAsStaff(session: Session, caseId: string): () => void {
  let left = false
  let lookAway = () => {}
  const look = async () => {
    const seen = await seenLately(session, caseId)
    if (seen.ok && !left) lookAway = lookAtCase(session, caseId)
  }
  look().catch(() => log().warn({ event: 'case-presence' }, 'whether somebody may be seen looking cannot be told'))
  return () => {
    left = true
    lookAway()
  }
}

interface Seen {
  readonly found: Extract<Result<DisputeCase>, { ok: true }>
  readonly until: number
}

/** The page asks every five seconds; the service is asked every ten whether the person still sees the case. */
const SEEN_MS = 10_000
const SEEN_MAX = 1_000

const shared = globalThis as typeof globalThis & { consoleCasesSeen?: Map<string, Seen> }

async function seenLately(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  shared.consoleCasesSeen ??= new Map()
  const kept = shared.consoleCasesSeen
  const key = `${session.id} ${caseId.toLowerCase()}`
  const known = kept.get(key)
  if (known !== undefined && known.until > Date.now()) return known.found
  const found = await readCaseAsStaff(session, caseId)
  if (!found.ok) {
    kept.delete(key)
    return found
  }
  if (kept.size >= SEEN_MAX) kept.clear()
  kept.set(key, { found, until: Date.now() + SEEN_MS })
  return found
}
