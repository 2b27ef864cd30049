import { createHash, randomBytes } from 'node:crypto'

/** The seed injects its own, so that the seeded world is always the same. */
export interface Randomness {
  bytes(length: number): Buffer
}

export const systemRandomness: Randomness = { bytes: (length) => randomBytes(length) }

/** Hashing is the slow part, so one hash serves many draws. */
const POOL_BYTES = 4096

/** SHAKE256 of the name and a counter. A draw is limited to `POOL_BYTES`. */
export function seededRandomness(name: string): Randomness {
  let counter = 0
  let pool = Buffer.alloc(0)
  return {
    bytes(length) {
      if (length > pool.length) {
        pool = createHash('shake256', { outputLength: POOL_BYTES }).update(`${name}:${counter++}`).digest()
      }
      const drawn = pool.subarray(0, length)
      pool = pool.subarray(length)
      return drawn
    },
  }
}

export function newUuid(random: Randomness): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
