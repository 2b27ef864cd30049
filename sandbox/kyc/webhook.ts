import type { FastifyInstance } from 'fastify'
import { Refusal } from '#sandbox/http/problem.ts'
import type { World } from '#sandbox/world/world.ts'
import { requireSignature } from './signature.ts'
import { takeDelivery } from './take-delivery.ts'

const SIGNATURE_HEADER = 'x-kyc-signature'

/** `POST /sandbox/webhooks/kyc`: the partner's result, signed with the shared secret. Answers 204. */
export function serveKycWebhook(app: FastifyInstance, world: World, secret: string): void {
  app.register((scope, _options, done) => {
    // The signature covers the body as it was sent, so here it is not parsed on its way in.
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/sandbox/webhooks/kyc', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      requireSignature(request.headers[SIGNATURE_HEADER], body, secret, world.wallMilliseconds())
      await takeDelivery(world, parseBody(body))
      return reply.code(204).send()
    })
    done()
  })
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw error instanceof SyntaxError ? malformed() : error
  }
}

const malformed = (): Refusal => new Refusal(400, 'core::request::malformed', 'The body is not JSON.')
