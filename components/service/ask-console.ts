import { correctServerClock } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import { HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { announceSessionOver, hasSessionEnded } from './session-events.ts'

export interface ConsoleAnswer {
  readonly status: number
  readonly body: unknown
}

export const SESSION_STATE = '/api/session/state'

/** By then the browser has the cookie that another tab received. */
const RENEWED_AFTER_MS = 1_000

/** Returns 401 without a request once the session is known to have ended. */
export async function fetchConsole(path: string, init: RequestInit = {}): Promise<Response> {
  if (hasSessionEnded() && path !== SESSION_STATE) {
    return Response.json({ problem: problemOf('session-over', { status: 401 }) }, { status: 401 })
  }
  const response = await fetch(path, { cache: 'no-store', ...init, headers: { 'x-console': '1', ...init.headers } })
  correctServerClock(response)
  return response
}

/** For requests whose dialog stays open until they end. */
export const answerInTime = (): AbortSignal => AbortSignal.timeout(120_000)

/** Null when unreachable. Repeats if another tab had just replaced the session handle: it had no effect then. */
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

/** Throws if the body is incomplete or not JSON. */
export async function readAnswer(response: Response): Promise<ConsoleAnswer | null> {
  if (response.status === 401 && !hasSessionEnded()) announceSessionOver()
  const answer = { status: response.status, body: await response.json() }
  return answer.status >= 400 && problemInBody(answer.body) === null ? null : answer
}

export const problemIn = (answer: ConsoleAnswer | null): Problem =>
  answer === null
    ? problemOf('console-unreachable')
    : (problemInBody(answer.body) ?? problemOf('console', { status: answer.status }))

function problemInBody(body: unknown): Problem | null {
  const problem = typeof body === 'object' && body !== null && 'problem' in body ? body.problem : null
  return typeof problem === 'object' && problem !== null && 'kind' in problem ? (problem as Problem) : null
}

export const asJson = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Ends without an error if the response is cut between two lines. */
export async function* jsonLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}

/** The request may have had its effect. */
export const isUnanswered = ({ kind, status, code }: Problem): boolean =>
  kind === 'console-unreachable' || (kind === 'console' && (status ?? 500) >= 500 && code === null)

/** Otherwise a refresh would lose the page and what it says. */
export const canRefreshAfter = (problem: Problem): boolean => problem.kind !== 'session-over' && !isUnanswered(problem)

/** For example “the choice” and “saved”. */
export function notDoneWords(what: string, done: string, problem: Problem): string {
  const { title, advice } = problemWords(problem)
  const outcome = isUnanswered(problem)
    ? `It is not known whether ${what} was ${done}.`
    : `${what.charAt(0).toUpperCase()}${what.slice(1)} was not ${done}.`
  return `${outcome} ${title.replace(/\.$/, '')}. ${advice}`
}

/** Of preferences. `fault`: the reason to show. */
export async function saveChoice(
  change: Partial<Readonly<Record<'theme' | 'timeFirst' | 'notify', string | boolean>>>,
): Promise<{ readonly fault: string | null; readonly canRefresh: boolean }> {
  const saved = await askConsole('/api/session/preferences', { method: 'POST', ...asJson(change) })
  if (saved?.status === 200) return { fault: null, canRefresh: true }
  const problem = problemIn(saved)
  return { fault: notDoneWords('the choice', 'saved', problem), canRefresh: canRefreshAfter(problem) }
}

/** Empty after the end of the session, which the page's cover announces. */
export function staleWords(problem: Problem | null): string {
  if (problem === null || problem.kind === 'session-over') return ''
  const title = problemWords(problem).title.replace(/\.$/, '')
  const advice = problem.kind === 'console-unreachable' ? ' Check the connection.' : ''
  return `${title}.${advice} This page may be out of date.`
}
