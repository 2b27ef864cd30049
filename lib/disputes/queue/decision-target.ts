import 'server-only'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { DecisionTarget } from '#lib/disputes/case-state.ts'
import { timeKey } from '#lib/disputes/thread/thread.ts'
import type { Span } from '#lib/values/time.ts'
import { type Calendar, spansAround, workingMsAfter, workingMsBefore } from '#lib/values/working-hours.ts'

const HOUR_MS = 3_600_000
/** Longer than a session lasts. */
const DAYS_AHEAD = 2

const calendar = (): Calendar | null => {
  const { disputeTargetCalendar: hours, businessZone: zone } = config()
  return hours === null ? null : { ...hours, zone }
}

const targetMs = (): number => config().disputeTargetHours * HOUR_MS

/** For pages, which count on while they are open. The spans are computed once an hour. */
export function decisionTarget(nowMs = Date.now()): DecisionTarget {
  const [hours, working] = [config().disputeTargetHours, calendar()]
  if (working === null) return { hours, spans: null }
  const hour = Math.floor(nowMs / HOUR_MS)
  const kept = perProcess('decision target', () => ({ key: '', spans: [] as readonly Span[] }))
  const key = JSON.stringify([hour, hours, working])
  if (kept.key !== key) Object.assign(kept, { key, spans: spansAround(nowMs, targetMs(), DAYS_AHEAD, working) })
  return { hours, spans: kept.spans }
}

/** A case with this key or a lower one is over the target. */
export function overTargetKey(nowMs: number): string {
  const working = calendar()
  const since = working === null ? nowMs - targetMs() : workingMsBefore(nowMs, targetMs(), working)
  return timeKey(new Date(since).toISOString())
}

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** ISO 8601: when a case is over the target. */
export function dueAt(createdAt: string): string {
  const [since, working] = [Date.parse(createdAt), calendar()]
  const due = working === null ? since + targetMs() : workingMsAfter(since, targetMs(), working)
  return new Date(Math.min(due, LATEST_MS)).toISOString()
}
