import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import { PROBLEM_TYPE_PREFIX } from '#lib/contract/problem.ts'
import type { Exchanged } from '#lib/http/exchange.ts'

interface Silence {
  answeredAtMs: number
  since: string | null
  readonly listeners: Set<() => void>
}

const silence = (): Silence =>
  perProcess('service silence', () => ({ answeredAtMs: 0, since: null, listeners: new Set() }))

/** Proxies answer with these when the service does not. */
const UNANSWERED_STATUSES = new Set([502, 503, 504])

const isProblem = (body: string): boolean => body.includes(PROBLEM_TYPE_PREFIX)

/** `beganMs`: since 1970. A failed call counts only if no other call was answered since it began. */
export function recordCall(answer: Exchanged, beganMs: number): void {
  const known = silence()
  if (answer.kind === 'answer' && (!UNANSWERED_STATUSES.has(answer.status) || isProblem(answer.body))) {
    known.answeredAtMs = Date.now()
    changeSince(null)
  } else if (beganMs >= known.answeredAtMs) changeSince(known.since ?? new Date(beganMs).toISOString())
}

function changeSince(since: string | null): void {
  const known = silence()
  if (known.since === since) return
  known.since = since
  for (const listen of [...known.listeners]) listen()
}

/** ISO 8601; null while the service answers this process. */
export const serviceSilentSince = (): string | null => silence().since

export function onServiceSilence(listen: () => void): () => void {
  const { listeners } = silence()
  listeners.add(listen)
  return () => void listeners.delete(listen)
}
