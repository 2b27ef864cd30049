import type { Result } from '#lib/service/answer.ts'
import { leaveForSignIn } from '#lib/session/current.ts'

/** What a page read; when the session turned out to be over, the page leaves for sign-in instead. */
export async function readOrLeave<Value>(reading: Promise<Result<Value>>): Promise<Result<Value>> {
  const result = await reading
  return !result.ok && result.problem.kind === 'session-over' ? await leaveForSignIn() : result
}
