import type { Result } from '#lib/service/answer.ts'
import { leaveForSignIn } from '#lib/session/current.ts'

/** Redirects to sign-in if the read failed because the session had ended. */
export async function readOrLeave<Value>(reading: Promise<Result<Value>>): Promise<Result<Value>> {
  const result = await reading
  return !result.ok && result.problem.kind === 'session-over' ? await leaveForSignIn() : result
}
