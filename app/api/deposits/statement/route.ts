import { after } from 'next/server'
import { startLookUp } from '#lib/intake/look-up.ts'
import { columnMapping } from '#lib/intake/mapping.ts'
import { takeStatement } from '#lib/intake/take.ts'
import { readBytes } from '#lib/session/request-body.ts'
import { FILE_MAX_BYTES } from '#lib/statement/statement.ts'
import { json, refuse } from '../../answer.ts'
import { serveIntake } from './serve-intake.ts'

/** What a form adds to its file: boundaries, the file's name, the mapping. */
const FORM_MAX_BYTES = FILE_MAX_BYTES + 64 * 1024

/**
 * Takes a bank statement: a form with `file`, and for a table `mapping` as JSON. All of it or nothing; then its lines are
 * looked up without the browser.
 */
export function POST(request: Request): Promise<Response> {
  return serveIntake(
    request,
    async (session) => {
      const body = await readBytes(request, FORM_MAX_BYTES)
      if (body === null) return refuse(413, 'The file is larger than 5 MB. Split it.')
      const form = await readForm(body, request.headers.get('content-type') ?? '')
      const file = form?.get('file')
      const mapping = readMapping(form?.get('mapping') ?? null)
      if (!(file instanceof File) || mapping === undefined) return refuse(400, 'This is no bank statement.')
      const bytes = new Uint8Array(await file.arrayBuffer())
      const taken = await takeStatement(session, { name: file.name, bytes, mapping })
      if (taken.kind === 'taken' && !taken.already) {
        await startLookUp(session, taken.id, (running) => after(() => running))
      }
      return json({ ok: true, taken })
    },
    'form',
  )
}

async function readForm(body: Buffer, type: string): Promise<FormData | null> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    return null
  }
}

/** Undefined when it is no mapping. */
function readMapping(given: FormDataEntryValue | null) {
  if (given === null) return null
  if (typeof given !== 'string') return undefined
  try {
    return columnMapping.safeParse(JSON.parse(given)).data
  } catch {
    return undefined
  }
}
