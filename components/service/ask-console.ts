import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { announceSessionOver } from './session-events.ts'

export interface ConsoleAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * One request of a page to its console, with an answer in JSON; null when the console cannot be reached: there was no
 * answer, or it was none of the console's, as a proxy before it gives one. A refusal for want of a session is told to the
 * page, which covers itself where the session has ended.
 */
export async function askConsole(path: string, init: RequestInit = {}): Promise<ConsoleAnswer | null> {
  try {
    return await readAnswer(
      await fetch(path, { cache: 'no-store', ...init, headers: { 'x-console': '1', ...init.headers } }),
    )
  } catch {
    return null
  }
}

/** {@link askConsole} for an answer that has begun. Throws when it breaks off, or is no JSON. */
export async function readAnswer(response: Response): Promise<ConsoleAnswer | null> {
  if (response.status === 401) announceSessionOver()
  const answer = { status: response.status, body: await response.json() }
  return answer.status >= 400 && toldIn(answer) === null ? null : answer
}

/** Why the console did not do what it was asked for. Null: it cannot be reached. */
export const problemIn = (answer: ConsoleAnswer | null): Problem =>
  answer === null
    ? problemOf('console-unreachable')
    : (toldIn(answer) ?? problemOf('console', { status: answer.status }))

function toldIn({ body }: ConsoleAnswer): Problem | null {
  const problem = typeof body === 'object' && body !== null && 'problem' in body ? body.problem : null
  return typeof problem === 'object' && problem !== null && 'kind' in problem ? (problem as Problem) : null
}

/** The body and the header of a request that brings JSON. */
export const asJson = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
