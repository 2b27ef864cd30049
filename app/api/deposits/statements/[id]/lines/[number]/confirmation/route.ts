import { depositConfirm } from '#lib/deposits/deposit-confirm.ts'
import { draftByHand } from '#lib/statements/confirm-lines.ts'
import { json, type Params, refuse, serveSession } from '../../../../../../answer.ts'
import { refuseNew } from '../../../../../../commands/endpoint.ts'

/** Drafts the confirmation of a line with manually entered data. The command endpoint executes or withdraws it. */
export const POST = (request: Request, { params }: Params<'id' | 'number'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const { id, number } = await params
    if (!/^[1-9]\d{0,5}$/.test(number)) return refuse(400, 'Line not found.')
    const refused = await refuseNew(session, depositConfirm)
    if (refused !== null) return refused
    const prepared = await draftByHand(session, id, Number(number))
    return prepared.ok ? json(prepared) : refuse(409, prepared.why)
  })
