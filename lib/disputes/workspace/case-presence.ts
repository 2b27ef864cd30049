import 'server-only'
import { randomUUID } from 'node:crypto'
import { log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dropViewer, renewViewer } from './viewer-table.ts'

/** A third of the lease: one renewal that fails makes nobody vanish. */
const RENEW_MS = 10_000

/**
 * Tells the colleagues, in any process, that this person has a case open in a tab, until the answer is
 * called. Never throws: while the store is out nobody is seen looking, and nothing else suffers.
 */
export function addViewer(session: Session, caseId: string): () => void {
  const streamId = randomUUID()
  const { actor, displayName: name } = session
  const renew = () => inOrder(async () => renewViewer(await store(), { streamId, caseId, actor, name }))
  /** One after the other, so that the last word is that they have left. */
  let latest = Promise.resolve()
  const inOrder = (work: () => Promise<void>) => {
    latest = latest.then(work).catch(() => log().warn({ event: 'case-presence' }, 'who looks cannot be written down'))
  }
  renew()
  const timer = setInterval(renew, RENEW_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    inOrder(async () => dropViewer(await store(), streamId))
  }
}
