import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { config } from '#lib/config/config.ts'

/** Passkeys are bound to the host of `NEXTAUTH_URL`. */
export function relyingParty(): { readonly id: string; readonly origin: string; readonly name: string } {
  const { baseUrl } = config()
  return { id: new URL(baseUrl).hostname, origin: baseUrl, name: 'Back-office console' }
}

export const CHALLENGE_SECONDS = 120

interface ClientData {
  readonly challenge?: unknown
  readonly crossOrigin?: unknown
}

function readClientData(clientDataJSON: string): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof data === 'object' ? data : null
  } catch {
    return null
  }
}

export function challengeIn(clientDataJSON: string): string | null {
  const challenge = readClientData(clientDataJSON)?.challenge
  return typeof challenge === 'string' ? challenge : null
}

/** The WebAuthn library does not reject use in another site's frame. */
export const isCrossOrigin = (clientDataJSON: string): boolean => readClientData(clientDataJSON)?.crossOrigin === true

const NONCE_BYTES = 32
const DIGEST_BYTES = 32
const TIME_BYTES = 6

/** Effect digest plus nonce. */
export const effectChallenge = (effect: string): Buffer =>
  Buffer.concat([Buffer.from(effect, 'hex'), randomBytes(NONCE_BYTES)])

export const isOfEffect = (challenge: string, effect: string): boolean =>
  Buffer.from(challenge, 'base64url').subarray(0, DIGEST_BYTES).toString('hex') === effect

/** The expiry and a MAC under AUDIT_KEY prevent a forged row. */
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
