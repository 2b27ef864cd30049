import 'server-only'
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

export const text = z.string({ error: 'is missing' }).trim().min(1, 'is empty')

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
    context.addIssue(`must be VERSION:BASE64 of ${KEY_BYTES} bytes, newest first, comma-separated`)
  } else if (versions.size !== keys.length) {
    context.addIssue('has the same version twice')
  }
  return keys
})

export const auditKey = text
  .transform(key)
  .refine((bytes) => bytes.length >= KEY_BYTES, `must be base64 of at least ${KEY_BYTES} bytes`)

/** PKCS #8 of an Ed25519 key, up to its seed (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const signingKey = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' })

/** BASE64, comma-separated, the newest first. */
export const logKeys = text
  .transform((value) => value.split(',').map((part) => key(part.trim())))
  .refine((keys) => keys.every(({ length }) => length === KEY_BYTES), {
    error: `must be base64 of ${KEY_BYTES} bytes; of several, newest first, comma-separated`,
    abort: true,
  })
  .refine((keys) => new Set(keys.map((bytes) => bytes.toString('hex'))).size === keys.length, {
    error: 'has the same key twice',
    abort: true,
  })
  .transform((keys) => keys.map(signingKey) as unknown as readonly [KeyObject, ...KeyObject[]])

/** Signature type of C2SP tlog-cosignature. */
const COSIGNATURE = 4

/** SubjectPublicKeyInfo of an Ed25519 key, up to its 32 bytes (RFC 8410). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

export type CosignerKey = NonNullable<ReturnType<typeof cosignerKey>>

/** `NAME+ID+KEY` of C2SP signed-note, as the witness prints it. */
const cosignerKey = (value: string) => {
  const [, name = '', id = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(value) ?? []
  const typed = key(base64)
  const keyId = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  if (typed.length !== KEY_BYTES + 1 || typed[0] !== COSIGNATURE || keyId.toString('hex') !== id) return null
  const spki = Buffer.concat([ED25519_SPKI, typed.subarray(1)])
  return { name, keyId, key: createPublicKey({ key: spki, format: 'der', type: 'spki' }) } as const
}

export const witnessKey = text.transform((value, context) => {
  const read = cosignerKey(value)
  if (read !== null) return read
  context.addIssue('must be the publicKey that the witness prints at its start')
  return z.NEVER
})
