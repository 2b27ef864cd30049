import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32
const SALT_BYTES = 16

const PASSWORD_MIN_CHARS = 10

/** The identity provider's password policy; null when a password meets it, else what it lacks. */
export function passwordFault(password: string): string | null {
  if (password.length < PASSWORD_MIN_CHARS) return `must have at least ${PASSWORD_MIN_CHARS} characters`
  if (password.length > 200) return 'must have at most 200 characters'
  if (!/[a-z]/.test(password) || !/[A-Z]/.test(password) || !/\d/.test(password)) {
    return 'must have a lower-case letter, an upper-case letter and a digit'
  }
  return null
}

/** `salt:key`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, KEY_BYTES)
  return `${salt.toString('base64url')}:${key.toString('base64url')}`
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split(':')
  const expected = Buffer.from(key, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
