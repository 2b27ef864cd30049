import { expect, vi } from 'vitest'
import type { Answered, Json, TestSandbox } from '#sandbox/testing/test-sandbox.ts'
import { codeAt, stepAt } from './totp-code.ts'

export const TOTP_PATH = '/api/v1/Security/totp'
export const STEP_MS = 30_000
export const LOCK_MS = 5 * 60_000

export const ARBITRATOR = 'arbitrator@example.com'
export const ADMIN = 'admin@example.com'
/** Not enrolled in the seeded world. */
export const ANA = 'ana@example.com'

/** The endpoints of two-factor security, and an authenticator that knows everyone's secret. */
export interface TwoFactor {
  /** What the machine's clock says, in milliseconds; in the middle of a time step to begin with. */
  readonly wall: { now: number }
  status(as: string): Promise<Json | undefined>
  enrol(as: string): Promise<Answered>
  confirm(as: string, code: unknown): Promise<Answered>
  verify(as: string, code: unknown): Promise<Answered>
  remove(as: string, code: unknown): Promise<Answered>
  /** `GET /sandbox/totp/{userId}` */
  control(userId: string): Promise<Answered>
  /** The base32 secret that counts, else the pending one, else nothing. */
  secretOf(email: string): Promise<string>
  /** The code of a user's secret so many time steps from now. */
  codeOf(email: string, steps?: number): Promise<string>
  /** A code that no time step around now has. */
  wrongCode(email: string): Promise<string>
  /** Sends so many wrong codes to `verify`, each of which must be rejected. */
  guess(as: string, times: number): Promise<void>
}

/** Takes over the machine's clock of a sandbox until mocks are restored. */
export function twoFactorOf(box: TestSandbox): TwoFactor {
  const wall = { now: stepAt(Date.now()) * STEP_MS + STEP_MS / 2 }
  vi.spyOn(box.sandbox.world, 'wallMilliseconds').mockImplementation(() => wall.now)
  const two: TwoFactor = {
    wall,
    status: async (as) => (await box.call('GET', TOTP_PATH, { as })).body.data,
    enrol: (as) => box.call('POST', `${TOTP_PATH}/enrol`, { as }),
    confirm: (as, code) => box.call('POST', `${TOTP_PATH}/enrol/confirm`, { as, body: { code } }),
    verify: (as, code) => box.call('POST', `${TOTP_PATH}/verify`, { as, body: { code } }),
    remove: (as, code) => box.call('DELETE', TOTP_PATH, { as, body: { code } }),
    control: (userId) => box.call('GET', `/sandbox/totp/${encodeURIComponent(userId)}`),
    async secretOf(email) {
      const row = await box.sandbox.world.db
        .selectFrom('totp')
        .innerJoin('app_user', 'app_user.id', 'totp.user_id')
        .select(['totp.secret', 'totp.pending_secret'])
        .where('app_user.email', '=', email)
        .executeTakeFirst()
      return row?.secret ?? row?.pending_secret ?? ''
    },
    codeOf: async (email, steps = 0) => codeAt(await two.secretOf(email), stepAt(wall.now) + steps),
    async wrongCode(email) {
      const near = await Promise.all([-3, -2, -1, 0, 1, 2, 3].map((steps) => two.codeOf(email, steps)))
      return Array.from({ length: 8 }, (_, digit) => String(digit).repeat(6)).find((code) => !near.includes(code)) ?? ''
    },
    async guess(as, times) {
      const code = await two.wrongCode(as)
      for (let n = 0; n < times; n += 1) expectRejected(await two.verify(as, code))
    },
  }
  return two
}

/** Every rejected code is answered by this document and no other, apart from the trace id. */
export function expectRejected(answer: Answered): void {
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect({ status: answer.status, body: { ...answer.body, traceId: '' } }).toEqual({
    status: 400,
    body: {
      type: 'urn:ocs:error:core::gatekeeper::code::invalid',
      title: 'The code was rejected.',
      status: 400,
      detail: 'The code was rejected.',
      traceId: '',
    },
  })
}
