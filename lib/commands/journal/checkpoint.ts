import 'server-only'
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** C2SP tlog-checkpoint: what the log has at one moment, in a signed note. */
export interface Checkpoint {
  /** Names the log. */
  readonly origin: string
  readonly size: number
  /** Hexadecimal. */
  readonly root: string
}

/** Signature type of C2SP signed-note. */
const ED25519 = Buffer.of(1)

const publicOf = (key: KeyObject): KeyObject => (key.type === 'public' ? key : createPublicKey(key))

const rawPublic = (key: KeyObject): Buffer => publicOf(key).export({ format: 'der', type: 'spki' }).subarray(-32)

const keyId = (origin: string, key: KeyObject): Buffer =>
  createHash('sha256').update(`${origin}\n`).update(ED25519).update(rawPublic(key)).digest().subarray(0, 4)

/** The public key, as C2SP signed-note writes it. */
export const verifierKey = (origin: string, key: KeyObject): string =>
  `${origin}+${keyId(origin, key).toString('hex')}+${Buffer.concat([ED25519, rawPublic(key)]).toString('base64')}`

const textOf = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`

const SIGNATURE = '— '

export function signCheckpoint(checkpoint: Checkpoint, key: KeyObject): string {
  const text = textOf(checkpoint)
  const signature = Buffer.concat([keyId(checkpoint.origin, key), sign(null, Buffer.from(text), key)])
  return `${text}\n${SIGNATURE}${checkpoint.origin} ${signature.toString('base64')}\n`
}

/** The log's name in its latest checkpoint, from before a change of `LOG_ORIGIN`. */
export const originOf = (note: string): string => note.slice(0, Math.max(0, note.indexOf('\n')))

/** Ignores signatures of other keys. */
export function isSignedCheckpoint(note: string, checkpoint: Checkpoint, key: KeyObject): boolean {
  const text = textOf(checkpoint)
  if (!note.startsWith(`${text}\n`)) return false
  const prefix = `${SIGNATURE}${checkpoint.origin} `
  return note
    .slice(text.length + 1)
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
    .some(
      (signature) =>
        signature.subarray(0, 4).equals(keyId(checkpoint.origin, key)) &&
        verify(null, Buffer.from(text), publicOf(key), signature.subarray(4)),
    )
}
