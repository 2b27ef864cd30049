import { after } from 'next/server'
import { type FormPart, readBytes, readForm } from '#lib/session/request-body.ts'
import type { Session } from '#lib/session/session.ts'
import { FileTooHard } from '#lib/statements/file/read-in-worker.ts'
import { FILE_MAX_BYTES } from '#lib/statements/file/statement.ts'
import { type GivenFile, importStatement } from '#lib/statements/import.ts'
import { columnMapping } from '#lib/statements/mapping.ts'
import { startMatching } from '#lib/statements/match-lines.ts'
import { countUpload, readOneAtATime, UPLOADS_MAX } from '#lib/statements/uploads.ts'
import { json, refuse } from '../../answer.ts'
import { serveStatements } from './serve-statements.ts'

/** What a form adds to its file: boundaries, the file's name, the mapping. */
const FORM_MAX_BYTES = FILE_MAX_BYTES + 64 * 1024
const MAPPING_MAX_BYTES = 64 * 1024

const AGAIN_SECONDS = 5

const busyWords = {
  own: 'Your other file is still being read. Wait until it is imported, then give this one again.',
  others: 'Several files of others are being read right now. Give this one again in a moment.',
} as const

/**
 * Takes a bank statement: a form with `file`, and for a table `mapping` as JSON. All of it or nothing; then its lines are
 * looked up without the browser.
 */
export function POST(request: Request): Promise<Response> {
  return serveStatements(
    request,
    async (session) => {
      const pause = countUpload(session.actor)
      if (pause !== null) {
        const minutes = Math.ceil(pause / 60)
        return later(pause, `You gave ${UPLOADS_MAX} files within an hour. The next one is accepted in ${minutes} min.`)
      }
      const body = await readBytes(request, FORM_MAX_BYTES)
      if (body === null) return refuse(413, 'The file is larger than 5 MB. Split it.')
      const type = request.headers.get('content-type') ?? ''
      const parsed = await readOneAtATime(session.actor, () => take(session, body, type))
      return parsed.busy === null ? parsed.value : later(AGAIN_SECONDS, busyWords[parsed.busy])
    },
    'form',
  )
}

function later(seconds: number, why: string): Response {
  const refusal = refuse(429, why)
  refusal.headers.set('retry-after', String(seconds))
  return refusal
}

async function take(session: Session, body: Buffer, type: string): Promise<Response> {
  try {
    const given = readGiven(body, type)
    if (given === null) return refuse(400, 'This is no bank statement.')
    const imported = await importStatement(session, given)
    if (imported.kind === 'imported' && !imported.already) {
      await startMatching(session, imported.id, (running) => after(() => running))
    }
    return json({ ok: true, imported })
  } catch (error) {
    if (!(error instanceof FileTooHard)) throw error
    return refuse(
      422,
      'Reading the file takes more than any statement does, so it was stopped. Split it, or export it again.',
    )
  }
}

/** The file of a form and its mapping; null when it is no such form. */
function readGiven(body: Buffer, type: string): GivenFile | null {
  const form = readForm(body, type)
  if (form === 'too-long') throw new FileTooHard('headers of a part')
  if (form === 'no-form') return null
  const file = form.get('file')
  const mapping = readMapping(form.get('mapping'))
  if (file === undefined || file.fileName === null || mapping === undefined) return null
  return { name: file.fileName, bytes: file.bytes, mapping }
}

/** Null when there is none; undefined when it is no mapping. */
function readMapping(given: FormPart | undefined) {
  if (given === undefined) return null
  if (given.fileName !== null || given.bytes.length > MAPPING_MAX_BYTES) return undefined
  try {
    return columnMapping.safeParse(JSON.parse(given.bytes.toString('utf8'))).data
  } catch {
    return undefined
  }
}
