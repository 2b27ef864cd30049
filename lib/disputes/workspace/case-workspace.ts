import 'server-only'
import { boundedCache } from '#lib/config/cache.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { noteCase } from '#lib/disputes/queue/note-cases.ts'
import { readWholeThread } from '#lib/disputes/thread/whole-thread.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { mayWorkOnCases, readCaseAsStaff } from './case-access.ts'
import { waitsForAnswer } from './case-answer.ts'
import { noteCandidate, peopleFor } from './case-people.ts'
import { addViewer } from './case-presence.ts'
import { claimOf, endClaims } from './claim-table.ts'
import { latestNotes } from './note-table.ts'
import { snoozesOf } from './snooze-table.ts'
import { viewersOf } from './viewer-table.ts'
import type { CaseWorkspace } from './workspace.ts'

const NOTES_MAX = 200

/** A case that the service shows as resolved loses its claim here. */
export async function readCaseWorkspace(session: Session, caseId: string): Promise<Result<CaseWorkspace>> {
  const seen = await seenLately(session, caseId)
  if (!seen.ok) return seen
  const { status } = seen.value
  await noteCandidate(session)
  const db = await store()
  if (status === 'RESOLVED') await endClaims(db, [caseId])
  const [mayWork, claim, snoozes, viewers, { notes, earlier }, people] = await Promise.all([
    mayWorkOnCases(session),
    claimOf(db, caseId),
    snoozesOf(db, [caseId]),
    viewersOf(db, caseId),
    latestNotes(db, caseId, NOTES_MAX),
    peopleFor(session, seen.value),
  ])
  const workspace: CaseWorkspace = {
    me: session.actor,
    open: status === 'OPEN',
    mayWork,
    claim,
    snooze: snoozes.get(caseId.toLowerCase()) ?? null,
    closed: config().assignedCases === 'closed',
    viewers: viewers.filter(({ actor }) => actor !== session.actor),
    notes: notes.map(({ id, author_name: authorName, text, at }) => ({ id, authorName, text, at })),
    earlierNotes: earlier,
    people,
  }
  return { ...seen, value: workspace }
}

/** Waits for the staff check. Returns how to end it. */
export function showAsViewer(session: Session, caseId: string): () => void {
  let left = false
  let leave = () => {}
  const add = async () => {
    const seen = await seenLately(session, caseId)
    if (seen.ok && !left) leave = addViewer(session, caseId)
  }
  add().catch(() => log().warn({ event: 'case-presence' }, 'whether somebody may be seen looking cannot be told'))
  return () => {
    left = true
    leave()
  }
}

type Seen = Extract<Result<DisputeCase>, { ok: true }>

/** The service is asked at most this often whether the person may see the case. */
const SEEN_MS = 10_000
const SEEN_MAX = 1_000

async function seenLately(session: Session, caseId: string): Promise<Result<DisputeCase>> {
  const kept = perProcess('cases seen', () => boundedCache<Seen>(SEEN_MAX, SEEN_MS))
  const key = `${session.id} ${caseId.toLowerCase()}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const found = await readCaseAsStaff(session, caseId)
  if (!found.ok) return found
  kept.set(key, found)
  if (await waitsForAnswer(caseId)) {
    // Reading the thread stores it, which wakes the case on an answer. The index must know the parties first.
    await noteCase(found.value)
    await readWholeThread(session, caseId)
  }
  return found
}
