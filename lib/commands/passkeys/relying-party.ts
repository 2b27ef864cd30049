import 'server-only'
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
