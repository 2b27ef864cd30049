import type { Session } from '#lib/session/session.ts'
import { ownPasskeys, passkeysAreAskedFor } from '#lib/two-factor/enrol-passkey.ts'
import { Passkeys } from './passkeys.tsx'

/** The passkeys of who is signed in; nothing where the policy asks for none and they have none. */
export async function PasskeysPanel({ session }: { session: Session }) {
  const passkeys = await ownPasskeys(session)
  return passkeys.length > 0 || passkeysAreAskedFor() ? <Passkeys passkeys={passkeys} /> : null
}
