import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'
import type { Randomness } from '#sandbox/world/random.ts'

/** RFC 6238 with the settings that every authenticator app takes for granted. */
const SETTINGS = { algorithm: 'SHA1', digits: 6 } as const
const STEP_SECONDS = 30
const CODE = /^\d{6}$/

/** Clocks of phones differ: the code of one step before and of one step after now is taken as well. */
const TOLERANCE_STEPS = 1

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20

const ISSUER = 'Wallet Payments'

/** A new shared secret, in base32. */
export const newSecret = (random: Randomness): string =>
  Secret.fromHex(random.bytes(SECRET_BYTES).toString('hex')).base32

/** The number of the time step that a time, in milliseconds since 1970, falls into. */
export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / STEP_SECONDS)

/** Whole seconds until the next time step, from 30 down to 1. */
export const secondsLeft = (milliseconds: number): number =>
  STEP_SECONDS - (Math.floor(milliseconds / 1000) % STEP_SECONDS)

/** The code of a base32 secret in a time step. */
export const codeAt = (secret: string, step: number): string =>
  HOTP.generate({ ...SETTINGS, secret: Secret.fromBase32(secret), counter: step })

/** The time steps whose codes are within tolerance at a time, earliest first. */
export function stepsInTolerance(milliseconds: number): readonly number[] {
  const now = stepAt(milliseconds)
  return Array.from({ length: 2 * TOLERANCE_STEPS + 1 }, (_, index) => now - TOLERANCE_STEPS + index)
}

/** Those of some time steps in which a secret has this code; none when it is no code at all. */
export function stepsWithCode(secret: string, code: string, steps: readonly number[]): readonly number[] {
  if (!CODE.test(code)) return []
  const submitted = Buffer.from(code)
  return steps.filter((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), submitted))
}

/** The URI that hands a secret over to an authenticator app. */
export const provisioningUrl = (secret: string, email: string): string =>
  new TOTP({ ...SETTINGS, period: STEP_SECONDS, issuer: ISSUER, label: email, secret }).toString()
