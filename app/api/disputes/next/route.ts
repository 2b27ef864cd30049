import { z } from 'zod'
import { assignNext } from '#lib/disputes/workspace/assign-cases.ts'
import { readQueueAddress } from '../../../(console)/disputes/queue-address.ts'
import { json, readBody, refuse } from '../../answer.ts'
import { refuseNew, serveCommand } from '../../commands/endpoint.ts'

const requestBody = z.strictObject({ isConfirmed: z.boolean().optional() })

/** Takes the queue's own parameters, and assigns the next case to the person. */
export function POST(request: Request): Promise<Response> {
  return serveCommand(request, async (session) => {
    const body = await readBody(request, requestBody)
    if (body === null) return refuse(400, 'Not a request for a case.')
    const { filter } = readQueueAddress(new URL(request.url).searchParams)
    const refused = await refuseNew(session, { kind: 'case.assign' })
    if (refused !== null) return refused
    const next = await assignNext(session, filter, body.isConfirmed)
    return next === 'session-over' ? refuse(401, 'Your session has ended.') : json({ ok: true, next })
  })
}
