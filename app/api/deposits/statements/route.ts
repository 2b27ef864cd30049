import { after } from 'next/server'
import { parsedJson } from '#lib/contract/json.ts'
import { type FormPart, readBytes, readForm } from '#lib/session/request-guards.ts'
import type { Session } from '#lib/session/session.ts'
import { FileTooHard } from '#lib/statements/file/read-in-worker.ts'
import { importStatement, TooManyChanges, type UploadedFile } from '#lib/statements/import.ts'
import { startMatching } from '#lib/statements/match-lines.ts'
import { FILE_MAX_BYTES } from '#lib/statements/not-a-statement.ts'
import { columnMapping } from '#lib/statements/remembered-mapping.ts'
import { countUpload, readOneAtATime, UPLOADS_MAX } from '#lib/statements/uploads.ts'
import { isUuid } from '#lib/values/ids.ts'
import { json, refuse, refusedAfterForm, refuseTooMany, serveForm } from '../../answer.ts'

/** Allows for the form's boundaries, the file name and the mapping. */
const FORM_MAX_BYTES = FILE_MAX_BYTES + 64 * 1024
const MAPPING_MAX_BYTES = 64 * 1024

const AGAIN_SECONDS = 5

const busyWords = {
  own: 'Your other file is still being read. Choose this one again when it is done.',
  others: 'The console is busy with other files. Try again in a moment.',
} as const

/** A form. `seal`: of the confirmed preview; without it, nothing is stored. `replaces`: the statement to map again. */
export const POST = (request: Request): Promise<Response> =>
  serveForm(request, async (session) => {
    const pause = countUpload(session.actor)
    if (pause !== null) {
      const minutes = Math.ceil(pause / 60)
      return later(
        pause,
        `You uploaded ${UPLOADS_MAX} files within an hour. You can upload the next one in ${minutes} min.`,
      )
    }
    const body = await readBytes(request, FORM_MAX_BYTES)
    if (body === null) return refuse(413, 'The file is larger than 5 MB. Split it.')
    const replaced = await refusedAfterForm(request, session)
    if (replaced !== null) return replaced
    const type = request.headers.get('content-type') ?? ''
    const parsed = await readOneAtATime(session.actor, () => importUpload(session, body, type))
    return parsed.busy === null ? parsed.value : later(AGAIN_SECONDS, busyWords[parsed.busy])
  })

function later(seconds: number, why: string): Response {
  const refusal = refuse(429, why)
  refusal.headers.set('retry-after', String(seconds))
  return refusal
}

async function importUpload(session: Session, body: Buffer, type: string): Promise<Response> {
  try {
    const upload = readUpload(body, type)
    if (upload === null) return refuse(400, 'This is not a bank statement.')
    const imported = await importStatement(session, upload)
    if (imported.kind === 'imported' && !imported.already) {
      await startMatching(session, imported.id, (running) => after(() => running))
    }
    return json({ ok: true, imported })
  } catch (error) {
    if (error instanceof TooManyChanges) return refuseTooMany()
    if (!(error instanceof FileTooHard)) throw error
    return refuse(422, 'The file is too complex. Split it, or export it again.')
  }
}

/** Null when the body is not a form with a file, or the mapping is invalid. */
function readUpload(body: Buffer, type: string): UploadedFile | null {
  const form = readForm(body, type)
  if (form === 'too-long') throw new FileTooHard('headers of a part')
  if (form === 'no-form') return null
  const file = form.get('file')
  const mapping = readMapping(form.get('mapping'))
  const [seal, reason, replaces] = [form.get('seal'), form.get('reason'), form.get('replaces')]
  const hasFileForText = [seal, reason, replaces].some((part) => (part?.fileName ?? null) !== null)
  if (file === undefined || file.fileName === null || mapping === undefined || hasFileForText) return null
  const textOf = (part: FormPart | undefined) => part?.bytes.toString('utf8')
  const given = { seal: textOf(seal) ?? null, reason: textOf(reason) ?? '' }
  const id = textOf(replaces) ?? ''
  return { name: file.fileName, bytes: file.bytes, mapping, ...given, replaces: isUuid(id) ? id : null }
}

/** Null when absent; undefined when invalid. */
function readMapping(given: FormPart | undefined) {
  if (given === undefined) return null
  if (given.fileName !== null || given.bytes.length > MAPPING_MAX_BYTES) return undefined
  return columnMapping.safeParse(parsedJson(given.bytes.toString('utf8'))).data
}
