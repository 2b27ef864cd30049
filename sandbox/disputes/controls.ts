import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readControl } from '#sandbox/controls/read-control.ts'
import type { World } from '#sandbox/world/world.ts'
import { raiseCase } from './raise-case.ts'

const asked = z.strictObject({ referenceId: z.string(), raisedByUserId: z.string(), reason: z.string() })

/** The interface has no endpoint that opens a case. */
export function serveDisputeControls(app: FastifyInstance, world: World): void {
  app.post('/sandbox/disputes', (request) => raiseCase(world, readControl(asked, request)))
}
