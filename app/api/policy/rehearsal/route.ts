import { z } from 'zod'
import { rehearseFor } from '#lib/commands/policy/rehearsal-for.ts'
import { readPolicy } from '#lib/config/policy.ts'
import { json, jsonLines, serveBody } from '../../answer.ts'

const DAYS_MAX = 3_650

const requestBody = z.strictObject({ text: z.string(), days: z.int().min(1).max(DAYS_MAX) })

/** For administrators: what a policy would have decided, as JSON lines; the faults of a text that is no policy. */
export function POST(request: Request): Promise<Response> {
  const words = `Give the text of a policy of at most 60 kB, and 1 to ${DAYS_MAX} days.`
  return serveBody(request, requestBody, words, async (session, { text, days }) => {
    const policy = readPolicy(text)
    if ('faults' in policy) return json({ ok: false, faults: policy.faults })
    return jsonLines(rehearseFor(session, policy, days), { atOnce: true })
  })
}
