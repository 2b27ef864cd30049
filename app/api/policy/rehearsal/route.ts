import { z } from 'zod'
import { rehearseFor } from '#lib/commands/policy/rehearsal-for.ts'
import { readPolicy } from '#lib/config/policy.ts'
import { json, jsonLines, readBody, refuse, serveSession } from '../../answer.ts'

const DAYS_MAX = 3_650

const requestBody = z.strictObject({ text: z.string(), days: z.int().min(1).max(DAYS_MAX) })

/** For administrators: what a policy would have decided, as JSON lines; the faults of a text that is no policy. */
export function POST(request: Request): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, `Give the text of a policy of at most 60 kB, and 1 to ${DAYS_MAX} days.`)
    const policy = readPolicy(body.text)
    if ('faults' in policy) return json({ ok: false, faults: policy.faults })
    return jsonLines(rehearseFor(session, policy, body.days), { atOnce: true })
  })
}
