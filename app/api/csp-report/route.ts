import { log } from '#lib/config/log.ts'
import { cspReportOf } from '#lib/domain/csp-report.ts'
import { readText } from '#lib/session/request-body.ts'
import { refuse } from '../answer.ts'

const BODY_MAX_BYTES = 16 * 1024
const LOGGED_A_MINUTE = 30
const MINUTE_MS = 60_000

const shared = globalThis as typeof globalThis & { consoleCspReports?: { since: number; count: number } }

/** Whether one more line may be written: anybody can send any number of reports. */
function mayLog(): boolean {
  const now = Date.now()
  if (shared.consoleCspReports === undefined || now > shared.consoleCspReports.since + MINUTE_MS) {
    shared.consoleCspReports = { since: now, count: 0 }
  }
  shared.consoleCspReports.count += 1
  return shared.consoleCspReports.count <= LOGGED_A_MINUTE
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
