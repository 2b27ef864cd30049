import 'server-only'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import { messageKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { wakeIfAnswered } from '#lib/disputes/workspace/case-answer.ts'
import { store } from '#lib/store/store.ts'
import { schedule } from '#lib/stream/schedule.ts'
import { noteReading, rememberMessages } from './thread-table.ts'

/** Stores authors and times, no text. Never rejects. */
export const noteThread = (caseId: string, messages: readonly ThreadMessage[]): Promise<void> =>
  note(caseId, messages, true)

export const noteMessages = (caseId: string, messages: readonly ThreadMessage[]): Promise<void> =>
  note(caseId, messages, false)

/** The embedded database blocks the process while it writes, so browsers get the message first. */
const NOTE_AFTER_MS = 100

interface Unnoted {
  whole: boolean
  readonly messages: Map<string, ThreadMessage>
}

const unnoted = () => perProcess('messages to note', () => new Map<string, Unnoted>())

/** Combines events, so that a message is stored once for all sessions. */
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
