import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { serveCards } from '#sandbox/cards/routes.ts'
import { serveDisputes } from '#sandbox/disputes/routes.ts'
import { refuseOtherMethods } from '#sandbox/http/app.ts'
import { type Gate, routerPath } from '#sandbox/http/serve.ts'
import { serveSecurity } from '#sandbox/security/routes.ts'
import { serveTerminals } from '#sandbox/terminals/routes.ts'
import { serveTransactions } from '#sandbox/transactions/routes.ts'
import { serveUsers } from '#sandbox/users/routes.ts'

export function serveInterface(app: FastifyInstance, gate: Gate): void {
  serveUsers(app, gate)
  serveTransactions(app, gate)
  serveTerminals(app, gate)
  serveSecurity(app, gate)
  serveCards(app, gate)
  serveDisputes(app, gate)
  const paths = Object.values(endpoints).flatMap((resource) => Object.values(resource).map(({ path }) => path))
  refuseOtherMethods(app, paths.map(routerPath))
}
