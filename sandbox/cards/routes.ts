import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Gate, serve } from '#sandbox/http/serve.ts'
import { activateCard } from './activate-card.ts'
import { blockCard } from './block-card.ts'
import { limitsRequest } from './caps.ts'
import { changeLimits } from './change-limits.ts'
import { freezeCard } from './freeze-card.ts'
import { issueCard } from './issue-card.ts'
import { listCards } from './list-cards.ts'
import { readCard } from './read-card.ts'
import { unfreezeCard } from './unfreeze-card.ts'

export function serveCards(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { cards } = endpoints
  serve(app, gate, cards.list, (_call, caller) => listCards(world, caller))
  serve(app, gate, cards.read, ({ params }, caller) => readCard(world, caller, params.cardId))
  serve(app, gate, cards.issue, ({ body }) => issueCard(world, body))
  serve(app, gate, cards.activate, ({ params, body }, caller) =>
    activateCard(world, caller, params.cardId, body.cardNumber),
  )
  serve(app, gate, cards.freeze, ({ params }, caller) => freezeCard(world, caller, params.cardId))
  serve(app, gate, cards.unfreeze, ({ params }, caller) => unfreezeCard(world, caller, params.cardId))
  serve(app, gate, { ...cards.limits, body: limitsRequest }, ({ params, body, grant }, caller) =>
    changeLimits(world, caller, params.cardId, body, grant),
  )
  serve(app, gate, cards.block, ({ params }) => blockCard(world, params.cardId))
}
