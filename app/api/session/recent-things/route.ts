import { z } from 'zod'
import { PINNED_MAX, pin, recentThings } from '#lib/look-up/recent-things.ts'
import { type Thing, thingKinds } from '#lib/look-up/thing.ts'
import { merchantIdFault } from '#lib/terminals/terminal.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { isUuid } from '#lib/values/ids.ts'
import { holdsCardNumber } from '#lib/values/text.ts'
import { json, readBody, refuse, serveSession } from '../../answer.ts'

const pinning = z.strictObject({ kind: z.enum(thingKinds), id: z.string(), pinned: z.boolean() })

export const GET = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => json({ ok: true, things: await recentThings(session, null) }))

export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const body = await readBody(request, pinning)
    if (body === null || !isThing(body) || holdsCardNumber(body.id)) {
      return refuse(400, 'Not something that can be pinned.')
    }
    const { pinned, ...thing } = body
    if (await pin(session, thing, pinned)) return json({ ok: true })
    return refuse(409, `${PINNED_MAX} of this kind are already pinned. Unpin one first`)
  })

function isThing({ kind, id }: Thing): boolean {
  if (kind === 'transaction') return referenceFault(id) === null
  return kind === 'merchant' ? merchantIdFault(id) === null : isUuid(id)
}
