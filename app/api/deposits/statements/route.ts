import { after } from 'next/server'
import { readBytes } from '#lib/session/request-body.ts'
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
/** A file and a mapping, and what stands around them. */
const BOUNDARIES_MAX = 8

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
      const parsed = await readOneAtATime(session.actor, async () => {
        const given = await readGiven(body, request.headers.get('content-type') ?? '')
        return given === null ? refuse(400, 'This is no bank statement.') : await take(session, given)
      })
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

async function take(session: Session, given: GivenFile): Promise<Response> {
  try {
    const imported = await importStatement(session, given)
    if (imported.kind === 'imported' && !imported.already) {
      await startMatching(session, imported.id, (running) => after(() => running))
    }
    return json({ ok: true, imported })
  } catch (error) {
    if (!(error instanceof FileTooHard)) throw error
    return refuse(
      422,
      'Reading the file takes more than any statement does, so it was stopped. Split it, or export it anew.',
    )
  }
}

/** The file of a form and its mapping; null when it is no such form. */
async function readGiven(body: Buffer, type: string): Promise<GivenFile | null> {
  const form = await readForm(body, type)
  const file = form?.get('file')
  const mapping = readMapping(form?.get('mapping') ?? null)
  if (!(file instanceof File) || mapping === undefined) return null
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), mapping }
}

async function readForm(body: Buffer, type: string): Promise<FormData | null> {
  if (!fewParts(body, type)) return null
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    return null
  }
}

/** A form of a hundred thousand parts would take long to read. */
function fewParts(body: Buffer, type: string): boolean {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return false
  let count = 0
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 1)) {
    count += 1
    if (count > BOUNDARIES_MAX) return false
  }
  return true
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
