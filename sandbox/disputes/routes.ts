import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { readPage } from '#sandbox/http/page.ts'
import { type Gate, serve } from '#sandbox/http/serve.ts'
import { listCases, readCaseFilter } from './list-cases.ts'
import { listMessages } from './list-messages.ts'
import { postMessage } from './post-message.ts'
import { readCase } from './read-case.ts'
import { resolveCase } from './resolve-case.ts'

export function serveDisputes(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { disputes } = endpoints
  serve(app, gate, disputes.list, ({ query }, caller) =>
    listCases(world, caller, readCaseFilter(query), readPage(query)),
  )
  serve(app, gate, disputes.read, ({ params }, caller) => readCase(world, caller, params.caseId))
  serve(app, gate, disputes.messages, ({ params, query }, caller) =>
    listMessages(world, caller, params.caseId, readPage(query)),
  )
  serve(app, gate, disputes.post, ({ params, body }, caller) => postMessage(world, caller, params.caseId, body.body))
  serve(app, gate, disputes.resolve, ({ params, body }, caller) => resolveCase(world, caller, params.caseId, body))
}
