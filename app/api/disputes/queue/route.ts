import { log } from '#lib/config/log.ts'
import { caseLists } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { json, refuse, serveOwn } from '../../answer.ts'

/** `?list=OPEN`: a list of dispute cases as the session's sweep has it. Asking is no activity: it keeps no session alive. */
export function GET(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const asked = new URL(request.url).searchParams.get('list')
    const list = caseLists.find((known) => known === asked)
    if (list === undefined) return refuse(400, 'There is no such list of cases.')
    try {
      const queue = await queueFor(session, list)
      if (queue.problem?.kind === 'session-over') return refuse(401, 'Your session has ended.')
      return json({ ok: true, queue })
    } catch (error) {
      log().error({ event: 'queue', error: error instanceof Error ? error.name : 'error' })
      return refuse(503, 'The console cannot reach its own store right now')
    }
  })
}
