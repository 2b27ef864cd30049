import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#sandbox/http/problem.ts'
import { readBy } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'

const SIGNATURE_HEADER = 'x-kyc-signature'

export function serveKycWebhook(app: FastifyInstance, world: World, secret: string): void {
  app.register((scope, _options, done) => {
    // The signature covers the raw body, so it is not parsed before the check.
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

/** Allowed difference from the machine's clock, in either direction. */
const TOLERANCE_SECONDS = 5 * 60

/** `t=<seconds since 1970>,v1=<HMAC-SHA256 in hexadecimal>`. */
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-fA-F]{64})$/

/** Throws 401 without the reason. */
function requireSignature(
  header: string | readonly string[] | undefined,
  body: Buffer,
  secret: string,
  milliseconds: number,
): void {
  const [, time = '', mac = ''] = SIGNATURE.exec(typeof header === 'string' ? header : '') ?? []
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  const isSigned = mac !== '' && timingSafeEqual(Buffer.from(mac, 'hex'), expected)
  if (isSigned && Math.abs(milliseconds / 1000 - Number(time)) <= TOLERANCE_SECONDS) return
  throw new Refusal(401, 'sandbox::webhook::signature', 'The signature is missing, wrong or too old.')
}

const ID_MAX_CHARS = 200

/** Excludes characters that PostgreSQL cannot store. */
const id = z
  .string()
  .min(1)
  .max(ID_MAX_CHARS)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

const delivery = z.strictObject({ id, userId: id, status: z.enum(['APPROVED', 'REJECTED', 'PENDING_REVIEW']) })

/** Applies each delivery once: 409 for a repeated one. A refused delivery may be sent again. */
async function takeDelivery(world: World, body: unknown): Promise<void> {
  const result = readBy(delivery, body)
  await world.db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto('kyc_delivery')
      .values({ id: result.id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (stored.numInsertedOrUpdatedRows === 0n) {
      throw new Refusal(409, 'sandbox::webhook::repeated', 'This delivery was taken before.')
    }
    const changed = await trx
      .updateTable('app_user')
      .set({ kyc_status: result.status })
      .where('id', '=', result.userId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new Refusal(404, 'sandbox::user::not_found', 'No such user.')
  })
}
