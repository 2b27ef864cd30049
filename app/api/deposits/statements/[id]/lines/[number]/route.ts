import { z } from 'zod'
import { readJson } from '#lib/session/request-guards.ts'
import { editLine } from '#lib/statements/edit-line.ts'
import { json, type Params, refuse, serveSession } from '../../../../../answer.ts'

const text = z.string().max(2_000)

const act = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('reference'), reference: text }),
  z.strictObject({ act: z.literal('accept'), reference: text }),
  z.strictObject({ act: z.literal('bank-reference'), bankReference: text }),
  z.strictObject({ act: z.literal('set-aside'), reason: text }),
  z.strictObject({ act: z.literal('put-back'), reason: text.default('') }),
  z.strictObject({ act: z.literal('look') }),
])

export function POST(request: Request, { params }: Params<'id' | 'number'>): Promise<Response> {
  return serveSession(request, async (session) => {
    const body = act.safeParse((await readJson(request))?.body)
    const { id, number } = await params
    if (!body.success || !/^[1-9]\d{0,5}$/.test(number)) return refuse(400, 'Line or change not found.')
    const fault = await editLine(session, id, Number(number), body.data)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
}
