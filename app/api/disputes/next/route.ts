import { assignNext } from '#lib/disputes/workspace/assign-cases.ts'
import { readQueueAddress } from '../../../(console)/disputes/queue-address.ts'
import { json, refuse } from '../../answer.ts'
import { refuseNew, serveCommand } from '../../commands/endpoint.ts'

/** Takes the queue's own parameters, and assigns the next case to the person. */
export function POST(request: Request): Promise<Response> {
  return serveCommand(request, async (session) => {
    const { filter } = readQueueAddress(new URL(request.url).searchParams)
    const refused = await refuseNew(session, { kind: 'case.assign' })
    if (refused !== null) return refused
    const next = await assignNext(session, filter)
    return next === 'session-over' ? refuse(401, 'Your session has ended.') : json({ ok: true, next })
  })
}
