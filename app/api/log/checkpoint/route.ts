import { config } from '#lib/config/config.ts'
import { checkpointFor, receiveCosigned } from '#lib/journal/witness.ts'
import { readText } from '#lib/session/request-guards.ts'
import { store } from '#lib/store/store.ts'
import { isBearer } from '#lib/telemetry/answer-metrics.ts'
import { unavailable } from '../../answer.ts'

const HEADERS = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' }
const NOTE_MAX_BYTES = 16_384

const text = (body: string, status = 200): Response => new Response(body, { status, headers: HEADERS })

/** `?from=SIZE`: what the witness has. */
export const GET = (request: Request): Promise<Response> =>
  serveWitness(request, async () => {
    const from = new URL(request.url).searchParams.get('from') ?? ''
    if (!/^(0|[1-9]\d{0,14})$/.test(from)) return text('from must be a number of log entries.\n', 400)
    const answer = await checkpointFor(await store(), Number(from))
    return answer === null ? text('The log has no checkpoint yet.\n', 503) : text(answer)
  })

/** A checkpoint with the cosignature of the witness. */
export const POST = (request: Request): Promise<Response> =>
  serveWitness(request, async () => {
    const note = await readText(request, NOTE_MAX_BYTES)
    if (note === null) return text('This note is too large.\n', 413)
    const received = await receiveCosigned(await store(), note)
    if (received === 'unsigned')
      return text('This is not a checkpoint of this log with the witness’s cosignature.\n', 400)
    return received === 'conflict' ? text('This log did not grow from that checkpoint.\n', 409) : text('')
  })

async function serveWitness(request: Request, serve: () => Promise<Response>): Promise<Response> {
  const { witness } = config()
  if (witness === null) return text('There is nothing here.\n', 404)
  if (isBearer(witness.token, request.headers.get('authorization'))) {
    try {
      return await serve()
    } catch (error) {
      return unavailable(error)
    }
  }
  const refused = text('This needs the token of the witness.\n', 401)
  refused.headers.set('www-authenticate', 'Bearer')
  return refused
}
