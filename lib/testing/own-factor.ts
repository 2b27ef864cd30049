import { setTimeout as wait } from 'node:timers/promises'
import { type TOTP, URI } from 'otpauth'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Session } from '#lib/session/session.ts'
import type { TestService } from './test-service.ts'

const STEP_MS = 30_000
/** What a change and all before it take at most, on a slow machine. */
const STEP_NEEDED_MS = 3_000

const ENROL = '/api/v1/Security/totp/enrol'
const FACTOR = '/api/v1/Security/totp'

/**
 * Changes of one's own second factor, as often as wanted. The sandbox takes the codes of the last, the present and the next
 * time step, each once and in that order: the first turns a key on, the second removes it, the third removes one that a change left on.
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
    // A code of the last step is taken no more once the next one begins.
    const left = STEP_MS - (Date.now() % STEP_MS)
    if (left < STEP_NEEDED_MS) await wait(left)
    const { data } = await call('GET', FACTOR)
    if (data?.enrolled) await call('DELETE', FACTOR, { code: code(1) })
    const enrolled = await call('POST', ENROL, {})
    key = URI.parse(String(enrolled.data?.url)) as TOTP
  }
  return {
    'totp.confirm': {
      sends: endpoints.security.confirm,
      async make() {
        await freshKey()
        return { session, params: {}, code: code(-1) }
      },
    },
    'totp.remove': {
      sends: endpoints.security.remove,
      async make() {
        await freshKey()
        await call('POST', `${ENROL}/confirm`, { code: code(-1) })
        return { session, params: {}, code: code(0) }
      },
    },
  }
}
