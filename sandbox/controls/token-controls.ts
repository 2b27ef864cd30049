import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#sandbox/http/problem.ts'
import type { Hub } from '#sandbox/hub/hub.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { readControl } from './read-control.ts'

const asked = z.strictObject({ userId: z.string(), refresh: z.boolean().default(false) })

export function serveTokenControls(app: FastifyInstance, tokens: Tokens, hub: Hub): void {
  app.post('/sandbox/tokens/expire', async (request) => {
    const { userId, refresh } = readControl(asked, request)
    if (!(await tokens.expire(userId, refresh))) throw new Refusal(404, 'sandbox::user::not_found', 'No such user.')
    hub.endTokensOf(userId)
    return { expired: true }
  })
}
