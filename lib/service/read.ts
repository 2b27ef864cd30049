import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { addressOf, type Endpoint, type PathParams } from '#lib/contract/endpoint.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Exchanged } from '#lib/http/exchange.ts'
import type { Session } from '#lib/session/session.ts'
import { callService } from '#lib/telemetry/call-service.ts'
import { type Result, readData, readProblem, retryAfter, serviceTime } from './answer.ts'
import { authorized, SIGN_ON_OUT } from './authorized.ts'
import { recordServiceTime } from './service-clock.ts'

const RETRIES_MAX = 2
/** For all attempts together. */
const BUDGET_MS = 10_000
const RETRIED_STATUSES = new Set([429, 502, 503, 504])

/** A GET is safe to repeat: at most twice, within ten seconds. */
export async function read<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(
  session: Session,
  endpoint: Endpoint<Path, Query, Body, Data>,
  params: PathParams<Path>,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<z.output<Data>>> {
  const url = addressOf(config().coreApiUrl, endpoint.path, params as Readonly<Record<string, string>>)
  if (url === null) return { ok: false, problem: problemOf('service', { status: 404 }) }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const answer = await authorized(session, (token) => readPatiently(endpoint, url, token))
  if (answer === 'over') return { ok: false, problem: problemOf('session-over') }
  if (answer.kind !== 'answer') {
    return { ok: false, problem: problemOf(answer.why === SIGN_ON_OUT ? 'sign-on-out' : 'unreachable') }
  }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) {
    const read = readData(endpoint.data, headers, body)
    if (read === null) return { ok: false, problem: problemOf('unreadable', { status }) }
    const time = serviceTime(headers)
    recordServiceTime(time)
    return { ok: true, value: read.data, serviceTime: time }
  }
  return { ok: false, problem: readProblem(endpoint, status, headers, body) }
}

async function readPatiently(endpoint: Endpoint, url: URL, token: string): Promise<Exchanged> {
  const deadline = Date.now() + BUDGET_MS
  for (let attempt = 0; ; attempt += 1) {
    const answer = await callService(endpoint, {
      url,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      timeoutMs: Math.max(1, deadline - Date.now()),
      reuseConnection: true,
    })
    if (attempt === RETRIES_MAX || (answer.kind === 'answer' && !RETRIED_STATUSES.has(answer.status))) return answer
    const pause = pauseMs(answer, attempt)
    if (Date.now() + pause >= deadline) return answer
    await wait(pause)
  }
}

function pauseMs(answer: Exchanged, attempt: number): number {
  const asked = answer.kind === 'answer' ? retryAfter(answer.headers) : null
  return asked === null ? 250 * 2 ** attempt * (0.5 + Math.random()) : asked * 1000
}
