import { log, mayLog } from '#lib/config/log.ts'
import { parsedJson } from '#lib/contract/json.ts'
import { readText } from '#lib/session/request-guards.ts'
import { refuse } from '../answer.ts'
import { cspReportOf } from './csp-report.ts'

const BODY_MAX_BYTES = 16 * 1024
const LOGGED_A_MINUTE = 30

/** Browsers report without the console's headers, also before sign-in. Changes nothing; every answer is the same. */
export async function POST(request: Request): Promise<Response> {
  if (!/^application\/csp-report\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    return refuse(415, 'Invalid report.')
  }
  const text = await readText(request, BODY_MAX_BYTES)
  if (text === null) return refuse(413, 'This report is too large.')
  const report = cspReportOf(parsedJson(text))
  if (report !== null && mayLog('csp', LOGGED_A_MINUTE)) log().warn({ event: 'csp', ...report })
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
