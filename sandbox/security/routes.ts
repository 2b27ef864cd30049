import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type Gate, ok, serve } from '#sandbox/http/serve.ts'
import { confirmEnrolment } from './confirm-enrolment.ts'
import { enrol } from './enrol.ts'
import { removeTotp } from './remove-totp.ts'
import { totpStatus } from './totp-status.ts'
import { verifyCode } from './verify-code.ts'

export function serveSecurity(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { security } = endpoints
  serve(app, gate, security.status, async (_call, caller) => ok(await totpStatus(world, caller.userId)))
  serve(app, gate, security.enrol, (_call, caller) => enrol(world, caller))
  serve(app, gate, security.confirm, ({ body }, caller) => confirmEnrolment(world, caller, body.code))
  serve(app, gate, security.verify, ({ body }, caller) => verifyCode(world, caller, body.code))
  serve(app, gate, security.remove, ({ body }, caller) => removeTotp(world, caller, body.code))
}
