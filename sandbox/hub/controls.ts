import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControl } from '#sandbox/controls/read-control.ts'
import type { Hub } from './hub.ts'

const DOWN_MAX_MS = 600_000
const asked = z.strictObject({ downMs: z.int().min(0).max(DOWN_MAX_MS).default(0) })

export function serveHubControls(app: FastifyInstance, hub: Hub): void {
  app.post('/sandbox/hub/drop', async (request) => ({ cut: hub.drop(readControl(asked, request).downMs) }))
}
