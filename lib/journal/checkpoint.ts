import 'server-only'
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { CosignerKey } from '#lib/config/keys.ts'

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

/** Null unless the note has exactly origin, size and root. */
export function readCheckpoint(note: string): Checkpoint | null {
  const [origin = '', size = '', root = ''] = note.split('\n', 3)
  const checkpoint = { origin, size: Number(size), root: Buffer.from(root, 'base64').toString('hex') }
  const isWritten = /^(0|[1-9]\d{0,15})$/.test(size) && checkpoint.root.length === ROOT_HEX
  return isWritten && note.startsWith(`${textOf(checkpoint)}\n`) ? checkpoint : null
}

const ROOT_HEX = 64

/** One signature of each key, so that holders of the older public keys can check it too. */
export const signCheckpoint = (checkpoint: Checkpoint, keys: readonly KeyObject[]): string =>
  signNote(checkpoint.origin, textOf(checkpoint), keys)

const signNote = (origin: string, text: string, keys: readonly KeyObject[]): string =>
  `${text}\n${keys.map((key) => signatureLine(origin, text, key)).join('')}`

function signatureLine(origin: string, text: string, key: KeyObject): string {
  const signature = Buffer.concat([keyId(origin, key), sign(null, Buffer.from(text), key)])
  return `${SIGNATURE}${origin} ${signature.toString('base64')}\n`
}

const keyChangeText = (origin: string, next: KeyObject): string => `${origin}\nnext key\n${verifierKey(origin, next)}\n`

/** A signed note in which the holder of a key names the next one. */
export const signKeyChange = (origin: string, from: KeyObject, next: KeyObject): string =>
  signNote(origin, keyChangeText(origin, next), [from])

export const isSignedKeyChange = (note: string, origin: string, from: KeyObject, next: KeyObject): boolean =>
  isSignedText(note, origin, keyChangeText(origin, next), [from])

/** The log's name in its latest checkpoint, from before a change of `LOG_ORIGIN`. */
export const originOf = (note: string): string => note.slice(0, Math.max(0, note.indexOf('\n')))

/** By one of the keys is enough. Ignores signatures of others. */
export const isSignedCheckpoint = (note: string, checkpoint: Checkpoint, keys: readonly KeyObject[]): boolean =>
  isSignedText(note, checkpoint.origin, textOf(checkpoint), keys)

function isSignedText(note: string, origin: string, text: string, keys: readonly KeyObject[]): boolean {
  const signatures = signaturesIn(note, text, origin)
  return keys.some((key) =>
    signatures.some(
      (signature) =>
        signature.subarray(0, ID_BYTES).equals(keyId(origin, key)) &&
        verify(null, Buffer.from(text), publicOf(key), signature.subarray(ID_BYTES)),
    ),
  )
}

/** C2SP tlog-cosignature: when the witness saw it, in seconds since 1970. Null without a valid one. */
export function cosignedAt(note: string, checkpoint: Checkpoint, { name, keyId, key }: CosignerKey): number | null {
  const text = textOf(checkpoint)
  for (const signature of signaturesIn(note, text, name)) {
    if (signature.length !== COSIGNATURE_BYTES || !signature.subarray(0, ID_BYTES).equals(keyId)) continue
    const at = Number(signature.readBigUInt64BE(ID_BYTES))
    const signed = Buffer.from(`cosignature/v1\ntime ${at}\n${text}`)
    if (at <= TIME_MAX && verify(null, signed, key, signature.subarray(ID_BYTES + TIME_BYTES))) return at
  }
  return null
}

/** By a witness of another key alone, for example an earlier one. */
export function isCosignedByOther(note: string, checkpoint: Checkpoint, { name, keyId }: CosignerKey): boolean {
  const text = textOf(checkpoint)
  const own = signaturesIn(note, text, name).filter((signature) => signature.subarray(0, ID_BYTES).equals(keyId))
  const lines = note.slice(text.length + 1).split('\n')
  const ofLog = `${SIGNATURE}${checkpoint.origin} `
  return own.length === 0 && lines.some((line) => line.startsWith(SIGNATURE) && !line.startsWith(ofLog))
}

const [ID_BYTES, TIME_BYTES, COSIGNATURE_BYTES] = [4, 8, 76]
/** The last second of a `Date`. */
const TIME_MAX = 8_640_000_000_000

/** Empty unless the note is of this text. */
function signaturesIn(note: string, text: string, name: string): readonly Buffer[] {
  if (!note.startsWith(`${text}\n`)) return []
  const prefix = `${SIGNATURE}${name} `
  return note
    .slice(text.length + 1)
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
}
