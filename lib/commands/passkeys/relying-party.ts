import 'server-only'
import { config } from '#lib/config/config.ts'

/** The console as passkeys know it: by the host of `NEXTAUTH_URL`. A passkey of another host is none here. */
export function relyingParty(): { readonly id: string; readonly origin: string; readonly name: string } {
  const { baseUrl } = config()
  return { id: new URL(baseUrl).hostname, origin: baseUrl, name: 'Back-office console' }
}

/** For so long a passkey can be used after it was asked for. */
export const CHALLENGE_SECONDS = 120

/** The challenge that a browser's answer is for (WebAuthn, client data); null where it is none. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown } | null
    return typeof data?.challenge === 'string' ? data.challenge : null
  } catch {
    return null
  }
}
