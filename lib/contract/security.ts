import { z } from 'zod'
import { endpoint, orNull, timestamp } from './endpoint.ts'

const totpStatus = z.object({ enrolled: z.boolean(), enrolledAt: orNull(timestamp), lockedUntil: orNull(timestamp) })

/** Contain the shared secret: shown once, never logged, cached or stored. */
const enrolment = z.object({ url: z.string().min(1), barcode: z.string().min(1) })

const grant = z.object({ token: z.string().min(1), expiresAt: timestamp })

export type TotpStatus = z.output<typeof totpStatus>
export type TotpEnrolment = z.output<typeof enrolment>
export type StepUpGrant = z.output<typeof grant>

const code = z.strictObject({ code: z.string() })

/** For the signed-in caller only. */
export const security = {
  status: endpoint({ method: 'GET', path: '/api/v1/Security/totp', scope: null, data: totpStatus }),
  enrol: endpoint({ method: 'POST', path: '/api/v1/Security/totp/enrol', scope: null, data: enrolment }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/v1/Security/totp/enrol/confirm',
    scope: null,
    body: code,
    data: z.unknown(),
  }),
  verify: endpoint({ method: 'POST', path: '/api/v1/Security/totp/verify', scope: null, body: code, data: grant }),
  remove: endpoint({ method: 'DELETE', path: '/api/v1/Security/totp', scope: null, body: code, data: z.unknown() }),
} as const
