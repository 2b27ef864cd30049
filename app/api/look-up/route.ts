import { z } from 'zod'
import { lookUp } from '#lib/look-up/look-up.ts'
import { cleanReference, lookUpFault } from '#lib/values/text.ts'
import { jsonLines, readBody, refuse, serveSession } from '../answer.ts'

const typed = z.strictObject({ text: z.string().min(1) })

/** Streams `lib/look-up/thing.ts` as each source answers. A POST, because addresses end up in logs. */
export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const text = cleanReference((await readBody(request, typed))?.text ?? '')
    if (text === '') return refuse(400, 'Enter a reference or id.')
    const fault = lookUpFault(text)
    return fault === null ? jsonLines(lookUp(session, text), { atOnce: true }) : refuse(400, fault)
  })
