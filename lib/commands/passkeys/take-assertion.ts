import 'server-only'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { writeAudit } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Assertion } from './assertion.ts'
import type { KeptAssertion, PasskeyNeed } from './kept-assertion.ts'
import { findPasskey, isPasskeyGenuine, notePasskeyUse, type Passkey, takeChallenge } from './passkey-table.ts'
import { challengeIn, isCrossOrigin, isOfEffect, relyingParty } from './relying-party.ts'

export type Taken =
  | { readonly ok: true; readonly assertion: KeptAssertion }
  | { readonly ok: false; readonly title: string; readonly why: string }

const no = (why: string, title: string): Taken => ({ ok: false, title, why })

/** Single use, within two minutes, with user verification. Rejections go to the audit trail. */
export async function takeAssertion(
  session: Session,
  row: CommandRow,
  { except }: PasskeyNeed,
  given: Assertion,
): Promise<Taken> {
  const taken = await take(session, row, except, given)
  if (!taken.ok) {
    const facts = { change: row.kind, why: taken.why }
    await writeAudit({ by: session, kind: 'passkey.reject', about: row.id, facts })
  }
  return taken
}

async function take(session: Session, row: CommandRow, except: string | null, given: Assertion): Promise<Taken> {
  const db = await store()
  const passkey = await findPasskey(db, session.actor, given.id)
  if (passkey === undefined || !(await isPasskeyGenuine(db, passkey)))
    return no('not-theirs', 'This is not a passkey of yours')
  if (passkey.id === except)
    return no('the-one-removed', 'The passkey that is removed cannot be the one that confirms it')
  const challenge = challengeIn(given.response.clientDataJSON)
  const command = { id: row.id, effect: row.effect ?? '' }
  if (
    challenge === null ||
    !isOfEffect(challenge, command.effect) ||
    !(await takeChallenge(db, challenge, { actor: session.actor, command }))
  ) {
    return no('not-asked', 'Its time is over, it was used already, or it is for another change')
  }
  const verified = await verify(passkey, challenge, given)
  if (verified === null) return no('not-verified', 'The passkey was not accepted')
  await notePasskeyUse(db, passkey.id, { counter: verified.newCounter, backed_up: verified.credentialBackedUp })
  const { clientDataJSON, authenticatorData, signature } = given.response
  return {
    ok: true,
    assertion: {
      by: session.actor,
      name: passkey.name,
      credentialId: passkey.id,
      publicKey: passkey.public_key,
      challenge,
      clientDataJSON,
      authenticatorData,
      signature,
      synced: passkey.synced,
      backedUp: verified.credentialBackedUp,
    },
  }
}

async function verify({ id, public_key, counter }: Passkey, expectedChallenge: string, given: Assertion) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  if (isCrossOrigin(given.response.clientDataJSON)) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, rawId: given.id, type: 'public-key', clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter: Number(counter) },
    })
    return verified ? authenticationInfo : null
  } catch {
    // The library throws for an invalid signature.
    return null
  }
}
