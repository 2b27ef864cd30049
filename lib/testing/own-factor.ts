import { type TOTP, URI } from 'otpauth'
import type { Session } from '#lib/session/session.ts'
import type { TestService } from './test-service.ts'

const STEP_MS = 30_000

const ENROL = '/api/v1/Security/totp/enrol'
const FACTOR = '/api/v1/Security/totp'

/**
 * Changes of one's own second factor, as often as wanted. A key's codes are taken in the order of their time steps, and one
 * before and one after now's are taken too: so the last step's turns it on, this one's is the change's, the next one's clears up.
 */
export function ownFactor(service: TestService, session: Session, email: string) {
  let key: TOTP | undefined
  const call = async (method: string, path: string, body?: object) => {
    const { accessToken: token } = await service.login(email)
    return await service.call(method, path, { token, body })
  }
  const code = (steps: number): string => {
    if (key === undefined) throw new Error('there is no key')
    return key.generate({ timestamp: Date.now() + steps * STEP_MS })
  }
  async function freshKey(): Promise<void> {
    const { data } = await call('GET', FACTOR)
    if (data?.enrolled) await call('DELETE', FACTOR, { code: code(1) })
    const enrolled = await call('POST', ENROL, {})
    key = URI.parse(String(enrolled.data?.url)) as TOTP
  }
  return {
    'totp.confirm': {
      sends: ['POST', `${ENROL}/confirm`] as const,
      async make() {
        await freshKey()
        return { session, params: {}, code: code(-1) }
      },
    },
    'totp.remove': {
      sends: ['DELETE', FACTOR] as const,
      async make() {
        await freshKey()
        await call('POST', `${ENROL}/confirm`, { code: code(-1) })
        return { session, params: {}, code: code(0) }
      },
    },
  }
}
