import type { FastifyInstance } from 'fastify'
import { bearerOf } from '#sandbox/http/caller.ts'
import type { World } from '#sandbox/world/world.ts'
import { USERINFO_PATH } from './provider.ts'
import type { Tokens } from './tokens.ts'
import { claimsOf, findUser } from './users.ts'

export function serveUserinfo(app: FastifyInstance, world: World, tokens: Tokens): void {
  app.get(USERINFO_PATH, async (request, reply) => {
    const token = bearerOf(request.headers.authorization)
    const verified = token === null ? null : await tokens.verify(token)
    const user = verified === null ? undefined : await findUser(world.db, verified.user.id)
    if (user === undefined) {
      const challenge = token === null ? 'Bearer' : 'Bearer error="invalid_token"'
      return reply.code(401).header('www-authenticate', challenge).send({ error: 'invalid_token' })
    }
    return reply.send(claimsOf(user))
  })
}
