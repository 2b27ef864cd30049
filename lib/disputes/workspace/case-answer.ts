import 'server-only'
import { partyMessages } from '#lib/disputes/thread/thread.ts'
import { readWholeThread } from '#lib/disputes/thread/whole-thread.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { messagesBeforeAnswer, wakeOnMessage } from './snooze-table.ts'

/** Wakes a case that is snoozed until an answer, if its thread has one; a thread that cannot be read wakes nothing. */
export async function wakeIfAnswered(session: Session, caseId: string): Promise<void> {
  const before = await messagesBeforeAnswer(await store(), caseId)
  if (before === null) return
  const thread = await readWholeThread(session, caseId)
  if (thread.ok && partyMessages(thread.value) > before) await wakeOnMessage(caseId)
}
