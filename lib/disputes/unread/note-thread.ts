import 'server-only'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import { messageKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { wakeIfAnswered } from '#lib/disputes/workspace/case-answer.ts'
import { schedule } from '#lib/live/schedule.ts'
import { store } from '#lib/store/store.ts'
import { noteReading, rememberMessages } from './thread-table.ts'

/**
 * Keeps who wrote when in a thread that was read with all its messages. Never throws: a store that fails costs this and no
 * more.
 */
export const noteThread = (caseId: string, messages: readonly ThreadMessage[]): Promise<void> =>
  note(caseId, messages, true)

/** {@link noteThread} for some messages of it. */
export const noteMessages = (caseId: string, messages: readonly ThreadMessage[]): Promise<void> =>
  note(caseId, messages, false)

/** Browsers hear of a message before the store does: the embedded one keeps the whole process waiting while it writes. */
const NOTE_AFTER_MS = 100

interface Unnoted {
  whole: boolean
  readonly messages: Map<string, ThreadMessage>
}

/** By case, in small letters. */
const unnoted = () => perProcess('messages to note', () => new Map<string, Unnoted>())

/** What a watch of a case tells, noted a moment later: once for all sessions that hear of the same message. */
export function noteEventSoon(caseId: string, event: CaseEvent): void {
  if (event.type !== 'snapshot' && event.type !== 'messages') return
  const id = caseId.toLowerCase()
  const waiting = unnoted().get(id) ?? { whole: false, messages: new Map() }
  waiting.whole ||= event.type === 'snapshot'
  for (const message of event.messages) waiting.messages.set(messageKey(message), message)
  if (unnoted().has(id)) return
  unnoted().set(id, waiting)
  schedule(NOTE_AFTER_MS, () => {
    unnoted().delete(id)
    void note(id, [...waiting.messages.values()], waiting.whole)
  })
}

async function note(caseId: string, messages: readonly ThreadMessage[], whole: boolean): Promise<void> {
  try {
    const db = await store()
    await rememberMessages(db, caseId, messages)
    if (whole) await noteReading(db, caseId)
    await wakeIfAnswered(caseId)
  } catch (error) {
    log().error({ event: 'case-threads', error: error instanceof Error ? error.name : 'error' })
  }
}
