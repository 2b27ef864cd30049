import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import type { DisputeCase } from '#lib/contract/disputes.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isUuid } from '#lib/values/ids.ts'
import { readCase } from './dispute-service.ts'
import { indexedCaseOf } from './queue/case-index-table.ts'

/**
 * By case id, or by reference if the index has it. Read with the person's own token, so invisible cases are omitted.
 */
export async function findCases(session: Session, text: string): Promise<Result<readonly DisputeCase[]>> {
  const ofReference = (await permits(session, 'caseIndex.read')) ? await indexedCaseOf(await store(), text) : undefined
  const ids = [...new Set([...(isUuid(text) ? [text] : []), ...(ofReference === undefined ? [] : [ofReference.id])])]
  const cases: DisputeCase[] = []
  for (const read of await Promise.all(ids.map((id) => readCase(session, id)))) {
    if (read.ok) cases.push(read.value)
    else if (read.problem.status !== 404) return read
  }
  return { ok: true, value: cases, serviceTime: null }
}
