import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { relyingParty } from '#lib/commands/policy/passkey-table.ts'
import type { Assertion, Attestation } from '#lib/commands/policy/passkeys.ts'

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40
const COUNTER_BYTES = 4

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

/** How an answer may be wrong. */
export interface Wrong {
  readonly unverified?: true
  readonly origin?: string
  readonly host?: string
  readonly crossOrigin?: true
}

/** An authenticator with one key on P-256, as WebAuthn has them. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0

  /** Signs what a console asks for. */
  sign({ challenge }: { readonly challenge: string }, wrong: Wrong = {}): Assertion {
    const clientData = this.#clientData('webauthn.get', challenge, wrong)
    const authenticatorData = this.#authenticatorData(wrong.unverified ? PRESENT : PRESENT | VERIFIED, wrong)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#keys.privateKey)
    return {
      id: this.id,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }

  /** Answers as one that was just made. */
  make({ challenge }: { readonly challenge: string }, wrong: Wrong = {}, attest = none): Attestation {
    const id = Buffer.from(this.id, 'base64url')
    const flags = HAS_KEY | PRESENT | (wrong.unverified ? 0 : VERIFIED)
    const key = Buffer.concat([Buffer.alloc(16), u16(id.length), id, coseOf(this.#keys.publicKey)])
    const authData = Buffer.concat([this.#authenticatorData(flags, wrong), key])
    const clientData = this.#clientData('webauthn.create', challenge, wrong)
    const { fmt, ...statement } = attest({ authData, clientDataHash: sha256(clientData), key: this.#keys.privateKey })
    const attestationObject = cbor({ fmt, attStmt: statement, authData }).toString('base64url')
    const response = { clientDataJSON: clientData.toString('base64url'), attestationObject, transports: ['usb'] }
    return { id: this.id, response }
  }

  #clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    const { origin = relyingParty().origin, crossOrigin = false } = wrong
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  #authenticatorData(flags: number, { host = relyingParty().id }: Wrong): Buffer {
    this.#counter += 1
    const counter = Buffer.alloc(COUNTER_BYTES)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter])
  }
}

export interface Attested {
  readonly authData: Buffer
  readonly clientDataHash: Buffer
  readonly key: KeyObject
}

type Statement = Readonly<Record<string, Cbor>> & { readonly fmt: string }

const none = (_: Attested): Statement => ({ fmt: 'none' })

type Cbor = string | Buffer | -7 | readonly Cbor[] | { readonly [name: string]: Cbor }

function cbor(value: Cbor): Buffer {
  if (value === -7) return Buffer.from([0x26])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.from([0x59]), u16(value.length), value])
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0x80 | value.length]), ...value.map(cbor)])
  const fields = Object.entries(value)
  return Buffer.concat([Buffer.from([0xa0 | fields.length]), ...fields.flat().map(cbor)])
}

/** COSE: an elliptic key (kty 2, alg -7, crv 1) with its two coordinates. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ])
}
