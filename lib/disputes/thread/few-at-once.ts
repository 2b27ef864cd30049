import 'server-only'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Result } from '#lib/service/answer.ts'
import type { ThreadService } from './thread-service.ts'

/** A reconnect reads all watched cases again, so this limits the load. */
const AT_ONCE = 8

const LEFT_OUT: Result<never> = { ok: false, problem: problemOf('unreachable') }

export function fewAtOnce(service: ThreadService, atOnce = AT_ONCE): ThreadService {
  const waiting: (() => void)[] = []
  let going = 0
  const inTurn = async <Value>(read: () => Promise<Result<Value>>, signal?: AbortSignal): Promise<Result<Value>> => {
    if (going >= atOnce) await new Promise<void>((go) => waiting.push(go))
    else going += 1
    try {
      return signal?.aborted ? LEFT_OUT : await read()
    } finally {
      const next = waiting.shift()
      if (next === undefined) going -= 1
      else next()
    }
  }
  return {
    readCase: (caseId, signal) => inTurn(() => service.readCase(caseId), signal),
    readPage: (caseId, page, signal) => inTurn(() => service.readPage(caseId, page), signal),
  }
}
