import 'server-only'
import { text } from './variable.ts'

export interface SessionKey {
  readonly version: number
  readonly key: Buffer
}

const KEY_BYTES = 32

const key = (value: string): Buffer => Buffer.from(value, 'base64')

/** `VERSION:BASE64`, comma-separated, the newest first. */
export const sessionKeys = text.transform((value, context): SessionKey[] => {
  const keys = value.split(',').map((part) => {
    const match = /^(\d{1,6}):([A-Za-z0-9+/]+={0,2})$/.exec(part.trim())
    return { version: Number(match?.[1] ?? Number.NaN), key: key(match?.[2] ?? '') }
  })
  const versions = new Set(keys.map(({ version }) => version))
  if (keys.some((entry) => Number.isNaN(entry.version) || entry.key.length !== KEY_BYTES)) {
    context.addIssue({
      code: 'custom',
      message: `must be VERSION:BASE64 of ${KEY_BYTES} bytes, newest first, comma-separated`,
    })
  } else if (versions.size !== keys.length) {
    context.addIssue({ code: 'custom', message: 'has the same version twice' })
  }
  return keys
})

export const auditKey = text
  .transform(key)
  .refine((bytes) => bytes.length >= KEY_BYTES, `must be base64 of at least ${KEY_BYTES} bytes`)
