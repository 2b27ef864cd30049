import 'server-only'
import { createHash, randomBytes } from 'node:crypto'

const HALF_BYTES = 32
/** 64 bytes in base64url. */
const HANDLE = /^[A-Za-z0-9_-]{86}$/

/** `idHash` finds the session's row, `secret` opens its data key. */
export interface HandleHalves {
  readonly idHash: string
  readonly secret: Buffer
}

export const newHandle = (): string => randomBytes(2 * HALF_BYTES).toString('base64url')

export function splitHandle(handle: string): HandleHalves | null {
  if (!HANDLE.test(handle)) return null
  const bytes = Buffer.from(handle, 'base64url')
  const idHash = createHash('sha256').update(bytes.subarray(0, HALF_BYTES)).digest('base64url')
  return { idHash, secret: bytes.subarray(HALF_BYTES) }
}
