import 'server-only'
import type { ThreadService } from './thread-service.ts'

/** When a line comes back, all cases that it watches are read again. */
const AT_ONCE = 8

/** A service of which so many readings go on at once; the others wait for their turn, in the order of their coming. */
export function fewAtOnce(service: ThreadService, atOnce = AT_ONCE): ThreadService {
  const waiting: (() => void)[] = []
  let going = 0
  const inTurn = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    if (going >= atOnce) await new Promise<void>((go) => waiting.push(go))
    else going += 1
    try {
      return await read()
    } finally {
      // The place goes on to the next one, or is free.
      const next = waiting.shift()
      if (next === undefined) going -= 1
      else next()
    }
  }
  return {
    readCase: (caseId) => inTurn(() => service.readCase(caseId)),
    readPage: (caseId, page) => inTurn(() => service.readPage(caseId, page)),
  }
}
