import 'server-only'
import { problemOf } from '#lib/contract/problem-of.ts'
import { noteThread } from '#lib/disputes/unread/note-thread.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { CaseThread } from './case-thread.ts'
import { readThread } from './read-thread.ts'
import type { ThreadCase, ThreadMessage } from './thread.ts'
import { threadService } from './thread-service.ts'

export interface WholeThread {
  readonly case: ThreadCase
  readonly readOnly: boolean
  readonly messages: readonly ThreadMessage[]
  readonly unreadable: number
  readonly complete: boolean
}

/** 404 if not visible to the person. */
export async function readWholeThread(session: Session, caseId: string): Promise<Result<WholeThread>> {
  const thread = new CaseThread()
  const problem = await readThread({ service: threadService(session), caseId, thread, onEvent: () => {} })
  const { case: found, readOnly, messages, unreadable, complete } = thread
  if (problem !== null) return { ok: false, problem }
  if (found === null) return { ok: false, problem: problemOf('unreadable') }
  await noteThread(caseId, messages)
  return { ok: true, value: { case: found, readOnly, messages, unreadable, complete }, serviceTime: null }
}
