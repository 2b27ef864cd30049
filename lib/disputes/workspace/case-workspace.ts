import 'server-only'
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { boundedCache, perProcess } from '#lib/config/per-process.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import { recordCases } from '#lib/disputes/queue/case-index.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { deadlineOf } from './answer-deadline.ts'
import { type MentionedPerson, mentionsOf, watchOf } from './case-notices.ts'
import { mayWorkOnCases, peopleFor, readCaseAsStaff, recordCandidate } from './case-people.ts'
import type { CaseNote, CaseWorkspace, Person } from './workspace.ts'
import {
  type CaseNoteRow,
  claimOf,
  dropViewer,
  endClaims,
  isCaseSnoozed,
  latestNotes,
  putViewer,
  renewViewers,
  snoozesOf,
  viewersOf,
} from './workspace-tables.ts'

const NOTES_MAX = 200

/** A case that the service shows as resolved loses its claim here. */
export async function readCaseWorkspace(session: Session, caseId: string): Promise<Result<CaseWorkspace>> {
  const seen = await seenLately(session, caseId)
  if (!seen.ok) return seen
  const { status } = seen.value
  await recordCandidate(session)
  const db = await store()
  if (status === 'RESOLVED') await endClaims(db, [caseId])
  const { actor } = session
  const [mayWork, claim, snoozes, answerBy, viewers, { notes, earlier }, people, mentions, watch, authors] =
    await Promise.all([
      mayWorkOnCases(session),
      claimOf(db, caseId),
      snoozesOf(db, [caseId]),
      status === 'OPEN' ? deadlineOf(db, caseId) : null,
      viewersOf(db, caseId),
      latestNotes(db, caseId, NOTES_MAX),
      peopleFor(session, seen.value),
      mentionsOf(db, caseId),
      watchOf(db, { actor, caseId }),
      authorsOf(db, caseId),
    ])
  const workspace: CaseWorkspace = {
    me: actor,
    watch,
    open: status === 'OPEN',
    mayWork,
    claim,
    snooze: snoozes.get(caseId.toLowerCase()) ?? null,
    answerBy,
    closed: config().assignedCases === 'closed',
    viewers: viewers.filter((viewer) => viewer.actor !== actor),
    notes: notes.map((note) => shownNote(note, mentions.get(note.id) ?? [], actor)),
    earlierNotes: earlier,
    people,
    authors,
  }
  return { ...seen, value: workspace }
}

/** Who wrote messages of the case from this console, by name, also if they no longer work here. */
async function authorsOf(db: Kysely<Tables>, caseId: string): Promise<readonly Person[]> {
  const { rows } = await sql<Person>`
    SELECT latest.actor, latest.actor_name AS name
    FROM (SELECT DISTINCT author FROM case_message WHERE case_id = ${caseId.toLowerCase()}) AS written
      CROSS JOIN LATERAL (SELECT actor, actor_name FROM command WHERE actor IN ('sso:' || author, 'sso:' || upper(author))
        AND kind = 'dispute.message' ORDER BY created_at DESC LIMIT 1) AS latest`.execute(db)
  return rows
}

const shownNote = (
  { id, author_name: authorName, text, at }: CaseNoteRow,
  mentions: readonly MentionedPerson[],
  me: string,
): CaseNote => ({
  ...{ id, authorName, text, at },
  mentions: mentions.map(({ actor, name }) => ({ actor, name })),
  isForMe: mentions.some(({ actor, seen }) => actor === me && !seen),
})

/** Waits for the staff check. Returns how to end it. */
export function showAsViewer(session: Session, caseId: string): () => void {
  let left = false
  let leave = () => {}
  const add = async () => {
    const seen = await seenLately(session, caseId)
    if (seen.ok && !left) leave = addViewer(session, caseId)
  }
  add().catch(() => log().warn({ event: 'case-presence' }, 'it is not known whether a viewer may be shown'))
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
  const readAt = new Date().toISOString()
  const found = await readCaseAsStaff(session, caseId)
  if (!found.ok) return found
  kept.set(key, found)
  if (await isCaseSnoozed(caseId)) {
    // Reading the thread stores it, which wakes the case if a party wrote. The index must know the parties first.
    await recordCases([found.value], readAt)
    await readWholeThread(session, caseId)
  }
  return found
}

/** A third of the lease, so that one failed renewal removes no viewer. */
const RENEW_MS = 10_000

interface Present {
  /** By stream id; the function registers the viewer again. */
  readonly viewers: Map<string, () => void>
  timer: NodeJS.Timeout | null
}

const present = (): Present => perProcess('case viewers', () => ({ viewers: new Map(), timer: null }))

/** Returns how to end it. Never throws. */
export function addViewer(session: Session, caseId: string): () => void {
  const streamId = randomUUID()
  const { actor, displayName: name } = session
  /** Writes run in order, so that leaving is the last one. */
  let latest = Promise.resolve()
  const inOrder = (work: () => Promise<void>) => {
    latest = latest.then(work).catch(cannotBeWritten)
  }
  const put = () => inOrder(async () => putViewer(await store(), { streamId, caseId, actor, name }))
  put()
  renewed(streamId, put)
  return () => {
    renewed(streamId, null)
    inOrder(async () => dropViewer(await store(), streamId))
  }
}

function renewed(streamId: string, put: (() => void) | null): void {
  const all = present()
  if (put === null) all.viewers.delete(streamId)
  else all.viewers.set(streamId, put)
  if (all.viewers.size > 0) {
    all.timer ??= setInterval(() => void renewAll(all.viewers).catch(cannotBeWritten), RENEW_MS).unref()
  } else if (all.timer !== null) {
    clearInterval(all.timer)
    all.timer = null
  }
}

async function renewAll(viewers: Present['viewers']): Promise<void> {
  const ids = [...viewers.keys()]
  const known = await renewViewers(await store(), ids)
  // The lease expired while the store was down.
  for (const id of ids) if (!known.has(id)) viewers.get(id)?.()
}

const cannotBeWritten = (): void => log().warn({ event: 'case-presence' }, 'the viewers of a case could not be saved')
