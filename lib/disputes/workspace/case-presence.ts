import 'server-only'
import { randomUUID } from 'node:crypto'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dropViewer, putViewer, renewViewers } from './viewer-table.ts'

/** A third of the lease: one renewal that fails makes nobody vanish. */
const RENEW_MS = 10_000

interface Present {
  /** By the id of the stream: how to say again that they are there. */
  readonly viewers: Map<string, () => void>
  timer: NodeJS.Timeout | null
}

const present = (): Present => perProcess('case viewers', () => ({ viewers: new Map(), timer: null }))

/**
 * Tells the colleagues, in any process, that this person has a case open in a tab, until the answer is
 * called. Never throws: while the store is out nobody is seen looking, and nothing else suffers.
 */
export function addViewer(session: Session, caseId: string): () => void {
  const streamId = randomUUID()
  const { actor, displayName: name } = session
  /** One after the other, so that the last word is that they have left. */
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

/** One timer, and one statement, renews all that are there. */
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
  // The store was out for longer than a lease.
  for (const id of ids) if (!known.has(id)) viewers.get(id)?.()
}

const cannotBeWritten = (): void => log().warn({ event: 'case-presence' }, 'who looks cannot be written down')
