import { correctServerClock } from '#components/values/server-clock.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
import { announceSessionOver, hasSessionEnded } from './session-events.ts'

export interface ConsoleAnswer {
  readonly status: number
  readonly body: unknown
}

export const SESSION_STATE = '/api/session/state'

/** By then the browser has the cookie that another tab was given. */
const RENEWED_AFTER_MS = 1_000

/** Every request of a page to its console. Once the page knows that its session has ended, the answer is 401 without a request. */
export async function fetchConsole(path: string, init: RequestInit = {}): Promise<Response> {
  if (hasSessionEnded() && path !== SESSION_STATE) {
    return Response.json({ problem: problemOf('session-over', { status: 401 }) }, { status: 401 })
  }
  const response = await fetch(path, { cache: 'no-store', ...init, headers: { 'x-console': '1', ...init.headers } })
  correctServerClock(response)
  return response
}

/**
 * A request with a JSON answer; null when the console cannot be reached: without an answer, or with one that a proxy gave.
 * After a 401 the page asks whether the session has ended, and covers itself if so. A request with a handle that another tab
 * has just replaced was refused before any effect, and is sent once more.
 */
export async function askConsole(path: string, init: RequestInit = {}): Promise<ConsoleAnswer | null> {
  try {
    const response = await fetchConsole(path, init)
    if (!(await isForReplacedHandle(response))) return await readAnswer(response)
    await new Promise((done) => setTimeout(done, RENEWED_AFTER_MS))
    return await readAnswer(await fetchConsole(path, init))
  } catch {
    return null
  }
}

async function isForReplacedHandle(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return problemInBody(body)?.code === HANDLE_REPLACED
}

/** {@link askConsole} for an answer that has begun. Throws when it breaks off, or is no JSON. */
export async function readAnswer(response: Response): Promise<ConsoleAnswer | null> {
  if (response.status === 401 && !hasSessionEnded()) announceSessionOver()
  const answer = { status: response.status, body: await response.json() }
  return answer.status >= 400 && problemInBody(answer.body) === null ? null : answer
}

/** Why the console did not do what it was asked for. Null: it cannot be reached. */
export const problemIn = (answer: ConsoleAnswer | null): Problem =>
  answer === null
    ? problemOf('console-unreachable')
    : (problemInBody(answer.body) ?? problemOf('console', { status: answer.status }))

function problemInBody(body: unknown): Problem | null {
  const problem = typeof body === 'object' && body !== null && 'problem' in body ? body.problem : null
  return typeof problem === 'object' && problem !== null && 'kind' in problem ? (problem as Problem) : null
}

/** The body and the header of a request that brings JSON. */
export const asJson = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
