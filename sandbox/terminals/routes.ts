import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Gate, ok, serve } from '#sandbox/http/serve.ts'
import { disableTerminal } from './disable-terminal.ts'
import { listTerminals } from './list-terminals.ts'
import { registerTerminal } from './register-terminal.ts'
import { visibleTerminal } from './visible.ts'
import { terminalBody } from './wire.ts'

export function serveTerminals(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { terminals } = endpoints
  serve(app, gate, terminals.list, ({ query }, caller) => listTerminals(world, caller, query.merchantId))
  serve(app, gate, terminals.read, async ({ params }, caller) =>
    ok(terminalBody(await visibleTerminal(world.db, caller, params.terminalId))),
  )
  // The operation validates the body, to refuse with the code of terminals.
  serve(app, gate, { ...terminals.register, body: z.unknown() }, ({ body }, caller) =>
    registerTerminal(world, caller, body),
  )
  serve(app, gate, terminals.disable, ({ params }, caller) => disableTerminal(world, caller, params.terminalId))
}
