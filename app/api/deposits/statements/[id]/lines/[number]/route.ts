import { z } from 'zod'
import { editLine } from '#lib/statements/edit-line.ts'
import { json, type Params, readBody, refuse, serveSession } from '../../../../../answer.ts'

const text = z.string().max(2_000)

const act = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('reference'), reference: text }),
  z.strictObject({ act: z.literal('accept'), reference: text }),
  z.strictObject({ act: z.literal('bank-reference'), bankReference: text }),
  z.strictObject({ act: z.literal('set-aside'), reason: text }),
  z.strictObject({ act: z.literal('put-back'), reason: text.default('') }),
  z.strictObject({ act: z.literal('look') }),
])

export const POST = (request: Request, { params }: Params<'id' | 'number'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const body = await readBody(request, act)
    const { id, number } = await params
    if (body === null || !/^[1-9]\d{0,5}$/.test(number)) return refuse(400, 'Line or change not found.')
    const fault = await editLine(session, id, Number(number), body)
    return fault === null ? json({ ok: true }) : refuse(409, fault)
  })
