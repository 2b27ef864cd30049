import type { FastifyInstance } from 'fastify'
import type { World } from '#sandbox/world/world.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'

export function serveReference(app: FastifyInstance, world: World): void {
  const document = openApiDocument(world.baseUrl)
  const text = JSON.stringify(document)
  const read = referencePage(document)
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  app.get('/reference', async (_request, reply) => reply.type('text/html; charset=utf-8').send(read))
}
