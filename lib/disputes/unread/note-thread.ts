import 'server-only'
import { log } from '#lib/config/log.ts'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { wakeIfAnswered } from '#lib/disputes/workspace/case-answer.ts'
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

/** What a watch of a case tells. */
export async function noteEvent(caseId: string, event: CaseEvent): Promise<void> {
  if (event.type === 'snapshot') await noteThread(caseId, event.messages)
  if (event.type === 'messages') await noteMessages(caseId, event.messages)
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
