import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { readText } from '#lib/session/request-body.ts'
import { refuse } from '../answer.ts'
import { cspReportOf } from './csp-report.ts'

const BODY_MAX_BYTES = 16 * 1024
const LOGGED_A_MINUTE = 30
const MINUTE_MS = 60_000

/** Whether one more line may be written: anybody can send any number of reports. */
function mayLog(): boolean {
  const logged = perProcess('csp reports', () => ({ since: 0, count: 0 }))
  const now = Date.now()
  if (now > logged.since + MINUTE_MS) Object.assign(logged, { since: now, count: 0 })
  logged.count += 1
  return logged.count <= LOGGED_A_MINUTE
}

/**
 * Browsers tell here what a page's policy refused. They send it by themselves, without a header of ours, from pages that
 * nobody has signed in to as well: it changes nothing, and answers the same to everyone.
 */
export async function POST(request: Request): Promise<Response> {
  if (!/^application\/csp-report\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'This is no report.')
  }
  const text = await readText(request, BODY_MAX_BYTES)
  if (text === null) return refuse(413, 'This report is too large.')
  const report = cspReportOf(parsed(text))
  if (report !== null && mayLog()) log().warn({ event: 'csp', ...report })
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
