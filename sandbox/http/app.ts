import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { parseJson } from '#lib/contract/json.ts'
import type { World } from '#sandbox/world/world.ts'
import { newTraceId, Refusal, sendProblem, TRACE_HEADER } from './problem.ts'

const BODY_MAX_BYTES = 256 * 1024
/** References have no length limit in the interface; a longer one is answered with 404. */
const PATH_PARAM_MAX_CHARS = 8192
/** PostgreSQL's error code for a NUL in text. */
const TEXT_NOT_STORABLE = '22021'

const NO_PATH = { status: 404, code: 'core::request::path', title: 'No such path.' }
const MALFORMED = { code: 'core::request::malformed', title: 'The request cannot be read.' }
const WRONG_METHOD = { code: 'core::request::method', title: 'This path does not take this method.' }
const NOT_STORABLE = { code: 'core::request::invalid', title: 'No text may have a NUL character.' }
const FAILED = { status: 500, code: 'core::server::fail', title: 'Something went wrong. Nothing changed.' }

const refusals: Readonly<Record<number, { readonly code: string; readonly title: string }>> = {
  400: MALFORMED,
  405: WRONG_METHOD,
  413: { code: 'core::request::too_large', title: `A request body has at most ${BODY_MAX_BYTES} bytes.` },
  415: { code: 'core::request::media_type', title: 'A request body is JSON: Content-Type application/json.' },
}

/** Codes, grants, locks and tokens use the machine's clock, so `Date` does too. */
const WALL_TIME = /^\/api\/v1\/(Security|Users)\//

export function createApp(world: World): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_MAX_BYTES,
    forceCloseConnections: true,
    frameworkErrors: ({ statusCode }, _request, reply) =>
      sendProblem(reply, statusCode === 414 ? NO_PATH : { status: 400, ...MALFORMED }),
    routerOptions: { maxParamLength: PATH_PARAM_MAX_CHARS },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : parseJson(String(body)))
    } catch {
      done(new Refusal(400, 'core::request::malformed', 'The body is not JSON.'))
    }
  })
  app.addHook('onRequest', async (_request, reply) => void reply.header(TRACE_HEADER, newTraceId()))
  // `Date` carries the ledger's time: clients judge the end of a hold by it.
  app.addHook('onSend', async (request, reply, payload) => {
    const date = WALL_TIME.test(request.url) ? new Date(world.wallMilliseconds()) : world.clock.date()
    reply.header('date', date.toUTCString())
    reply.header('cache-control', 'no-store')
    return payload
  })
  app.setErrorHandler((error: FastifyError | Refusal, _request, reply) => {
    if (error instanceof Refusal) return sendProblem(reply, error.problem)
    if (error.code === TEXT_NOT_STORABLE) return sendProblem(reply, { status: 400, ...NOT_STORABLE })
    const status = error.statusCode ?? 500
    const refusal = refusals[status]
    if (refusal !== undefined) return sendProblem(reply, { status, ...refusal })
    process.stderr.write(`sandbox: ${error.stack ?? error.message}\n`)
    return sendProblem(reply, FAILED)
  })
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, NO_PATH))
  return app
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

/** Call it after all routes are registered. */
export function refuseOtherMethods(app: FastifyInstance, paths: readonly string[]): void {
  for (const url of new Set(paths)) {
    const taken = METHODS.filter((method) => app.hasRoute({ method, url }))
    app.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url,
      handler: (_request, reply) => {
        reply.header('allow', taken.join(', '))
        return sendProblem(reply, { status: 405, ...WRONG_METHOD })
      },
    })
  }
}
