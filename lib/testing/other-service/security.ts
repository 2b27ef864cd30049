import { randomBytes } from 'node:crypto'
import { type Call, noContent, ok, type Reply, refuse } from './reply.ts'
import { CLOCK_AHEAD_MS } from './variants.ts'
import { now, timeOf, type World } from './world.ts'

const WRONG_CODES_MAX = 2
const LOCK_MS = 25_000
const GRANT_MS = 120_000

const clock = (): number => Date.now() + CLOCK_AHEAD_MS

/** The one code that is right, for whoever has a factor. */
export const rightCode = ({ variant }: World): string => '24681357'.slice(0, variant.codeDigits)

export const status = ({ caller }: Call): Reply =>
  ok({
    enrolled: caller.factor === 'on',
    enrolledAt: caller.enrolledAt,
    lockedUntil: caller.lockedUntil === null ? null : timeOf(caller.lockedUntil),
  })

/** Whether a code is right; every wrong one counts towards the lock, whatever is wrong with it. */
function takes({ world, caller, body }: Call): boolean {
  const locked = caller.lockedUntil !== null && caller.lockedUntil > clock()
  if (!locked && caller.factor !== 'none' && body.code === rightCode(world)) {
    caller.wrongCodes = 0
    return true
  }
  caller.wrongCodes += 1
  if (caller.wrongCodes >= WRONG_CODES_MAX) caller.lockedUntil = clock() + LOCK_MS
  return false
}

const rejected = refuse(400, 'core::gatekeeper::code::invalid')

export function enrol({ world, caller }: Call): Reply {
  if (caller.factor === 'on') return refuse(409, 'core::gatekeeper::totp::already_enrolled')
  caller.factor = 'pending'
  const digits = world.variant.codeDigits
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const url = `otpauth://totp/Other%20Service:me?secret=${secret}&issuer=Other%20Service&digits=${digits}&algorithm=SHA256&period=60`
  return ok({ url, barcode: Buffer.from('no picture, but base64').toString('base64') })
}

export function confirmFactor(call: Call): Reply {
  const { caller, world } = call
  if (caller.factor !== 'pending' || !takes(call)) return rejected
  Object.assign(caller, { factor: 'on', enrolledAt: now() })
  world.happened('factor', caller.userId, caller)
  return noContent
}

export function verify(call: Call): Reply {
  if (call.caller.factor !== 'on' || !takes(call)) return rejected
  const token = randomBytes(24).toString('base64url')
  call.caller.grants.add(token)
  return ok({ token, expiresAt: timeOf(clock() + GRANT_MS) })
}

export function removeFactor(call: Call): Reply {
  const { caller, world } = call
  if (caller.factor !== 'on' || !takes(call)) return rejected
  Object.assign(caller, { factor: 'none', enrolledAt: null })
  caller.grants.clear()
  world.happened('factor-removed', caller.userId, caller)
  return noContent
}
