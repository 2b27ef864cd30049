import 'server-only'
import { randomUUID } from 'node:crypto'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dropViewer, putViewer, renewViewers } from './viewer-table.ts'

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

const cannotBeWritten = (): void => log().warn({ event: 'case-presence' }, 'who looks cannot be written down')
