import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'

/** RFC 6238 with the defaults of authenticator apps. */
const SETTINGS = { algorithm: 'SHA1', digits: 6 } as const
const STEP_SECONDS = 30
const CODE = /^\d{6}$/

/** Accepts one step before and one after, because phone clocks differ. */
const TOLERANCE_STEPS = 1

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20

const ISSUER = 'Wallet Payments'

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** `milliseconds` since 1970. */
export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / STEP_SECONDS)

export const secondsLeft = (milliseconds: number): number =>
  STEP_SECONDS - (Math.floor(milliseconds / 1000) % STEP_SECONDS)

export const codeAt = (secret: string, step: number): string =>
  HOTP.generate({ ...SETTINGS, secret: Secret.fromBase32(secret), counter: step })

export function stepsInTolerance(milliseconds: number): readonly number[] {
  const now = stepAt(milliseconds)
  return Array.from({ length: 2 * TOLERANCE_STEPS + 1 }, (_, index) => now - TOLERANCE_STEPS + index)
}

export function stepsWithCode(secret: string, code: string, steps: readonly number[]): readonly number[] {
  if (!CODE.test(code)) return []
  const submitted = Buffer.from(code)
  return steps.filter((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), submitted))
}

export const provisioningUrl = (secret: string, email: string): string =>
  new TOTP({ ...SETTINGS, period: STEP_SECONDS, issuer: ISSUER, label: email, secret }).toString()
