import 'server-only'
import { problemOf } from '#lib/contract/problem-of.ts'
import { noteThread } from '#lib/disputes/unread/note-thread.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { CaseThread } from './case-thread.ts'
import { readThread } from './read-thread.ts'
import type { ThreadCase, ThreadMessage } from './thread.ts'
import { threadService } from './thread-service.ts'

/** A case and its thread as one reading gave them. */
export interface WholeThread {
  readonly case: ThreadCase
  readonly readOnly: boolean
  /** In order, each once. */
  readonly messages: readonly ThreadMessage[]
  /** Messages that do not fit the contract. */
  readonly unreadable: number
  /** Whether as many were read as the service says there are. */
  readonly complete: boolean
}

/** Reads a case and every page of its thread, for one person. 404 when it is not visible to them. */
export async function readWholeThread(session: Session, caseId: string): Promise<Result<WholeThread>> {
  const thread = new CaseThread()
  const problem = await readThread({ service: threadService(session), caseId, thread, onEvent: () => {} })
  const { case: found, readOnly, messages, unreadable, complete } = thread
  if (problem !== null) return { ok: false, problem }
  if (found === null) return { ok: false, problem: problemOf('unreadable') }
  await noteThread(caseId, messages)
  return { ok: true, value: { case: found, readOnly, messages, unreadable, complete }, serviceTime: null }
}
