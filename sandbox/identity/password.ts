import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32
const SALT_BYTES = 16

const PASSWORD_MIN_CHARS = 10

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

/** Caches matches, because tests sign in the same few people thousands of times. The keyed digest hides passwords. */
const matched = new LRUCache<string, true>({ max: 1_000 })
const digestKey = randomBytes(32)

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const digest = createHmac('sha256', digestKey).update(`${stored}:${password}`).digest('base64')
  if (matched.has(digest)) return true
  const [salt = '', key = ''] = stored.split(':')
  const expected = Buffer.from(key, 'base64url')
  const actual = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES)
  const matches = expected.length === actual.length && timingSafeEqual(expected, actual)
  if (matches) matched.set(digest, true)
  return matches
}
