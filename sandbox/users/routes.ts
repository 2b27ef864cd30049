import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Gate, serve, serveOpen } from '#sandbox/http/serve.ts'
import { login } from './login.ts'
import { readScopes } from './read-scopes.ts'
import { refreshToken } from './refresh-token.ts'
import { register } from './register.ts'

export function serveUsers(app: FastifyInstance, gate: Gate): void {
  const { world, tokens } = gate
  const { users } = endpoints
  serveOpen(app, users.register, ({ body }) => register(world, body))
  serveOpen(app, users.login, ({ body }) => login(world, tokens, body))
  serveOpen(app, users.refreshToken, ({ body }) => refreshToken(tokens, body.refreshToken))
  serve(app, gate, users.scopes, ({ params }, caller) => readScopes(world, caller, params.id))
}
