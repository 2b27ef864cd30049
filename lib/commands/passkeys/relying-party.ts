import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { config } from '#lib/config/config.ts'

/** The console as passkeys know it: by the host of `NEXTAUTH_URL`. A passkey of another host is none here. */
export function relyingParty(): { readonly id: string; readonly origin: string; readonly name: string } {
  const { baseUrl } = config()
  return { id: new URL(baseUrl).hostname, origin: baseUrl, name: 'Back-office console' }
}

/** For so long a passkey can be used after it was asked for. */
export const CHALLENGE_SECONDS = 120

interface ClientData {
  readonly challenge?: unknown
  readonly crossOrigin?: unknown
}

/** What a browser signs with a passkey (WebAuthn, client data); null where it is no JSON object. */
function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof data === 'object' ? data : null
  } catch {
    return null
  }
}

/** The challenge that a browser's answer is for; null where it is none. */
export function challengeIn(clientDataJSON: string): string | null {
  const challenge = readClientData(clientDataJSON)?.challenge
  return typeof challenge === 'string' ? challenge : null
}

/** Whether the passkey was used in a frame of another site. No page of this console is in one, and the library does not look. */
export const isCrossOrigin = (clientDataJSON: string): boolean => readClientData(clientDataJSON)?.crossOrigin === true

const NONCE_BYTES = 32
const DIGEST_BYTES = 32
const TIME_BYTES = 6

/** What a passkey signs for a change: the digest of its effect, and what makes it another one each time. */
export const effectChallenge = (effect: string): Buffer =>
  Buffer.concat([Buffer.from(effect, 'hex'), randomBytes(NONCE_BYTES)])

export const isOfEffect = (challenge: string, effect: string): boolean =>
  Buffer.from(challenge, 'base64url').subarray(0, DIGEST_BYTES).toString('hex') === effect

/** What a new passkey signs. It carries its end and a MAC by AUDIT_KEY: a row that was put into the store is none. */
export function registrationChallenge(actor: string): Buffer {
  const end = Buffer.alloc(TIME_BYTES)
  end.writeUIntBE(Date.now() + CHALLENGE_SECONDS * 1000, 0, TIME_BYTES)
  const open = Buffer.concat([end, randomBytes(NONCE_BYTES)])
  return Buffer.concat([open, registrationMac(open, actor)])
}

export function isRegistrationChallenge(challenge: string, actor: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== TIME_BYTES + NONCE_BYTES + DIGEST_BYTES) return false
  const [open, mac] = [bytes.subarray(0, -DIGEST_BYTES), bytes.subarray(-DIGEST_BYTES)]
  return timingSafeEqual(mac, registrationMac(open, actor)) && open.readUIntBE(0, TIME_BYTES) > Date.now()
}

const registrationMac = (open: Buffer, actor: string): Buffer =>
  createHmac('sha256', config().auditKey)
    .update(JSON.stringify(['passkey registration', actor, open.toString('base64url')]))
    .digest()
