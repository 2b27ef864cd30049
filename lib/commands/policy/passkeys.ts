import 'server-only'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import type { CommandView, StepUpOutcome } from '#lib/commands/command.ts'
import type { PasskeyNeed } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { appendNote, findCommand } from '#lib/commands/store.ts'
import { notFound, viewOf } from '#lib/commands/view.ts'
import { isFirstOf } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { writeAudit } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { findRequest } from './approval-table.ts'
import { refusalToDecide } from './approval-view.ts'
import { passkeyNeedOf } from './gate.ts'
import {
  CHALLENGE_SECONDS,
  challengeIn,
  effectChallenge,
  findPasskey,
  findPasskeys,
  insertAssertion,
  isAsserted,
  isCrossOrigin,
  isOfEffect,
  isPasskeyGenuine,
  type Passkey,
  recordPasskeyUse,
  relyingParty,
  type StoredAssertion,
  saveChallenge,
  takeChallenge,
} from './passkey-table.ts'

export type AssertionResult =
  | { readonly ok: true; readonly assertion: StoredAssertion }
  | { readonly ok: false; readonly title: string; readonly why: string }

const EVERY_MS = 60_000

const no = (why: string, title: string): AssertionResult => ({ ok: false, title, why })

/** Single use, within two minutes, with user verification. */
export async function takeAssertion(
  session: Session,
  row: CommandRow,
  { except }: PasskeyNeed,
  input: Assertion,
): Promise<AssertionResult> {
  const taken = await take(session, row, except, input)
  if (!taken.ok && isFirstOf('refused passkeys', `${session.actor} ${row.id} ${taken.why}`, EVERY_MS)) {
    const facts = { change: row.kind, why: taken.why }
    await writeAudit({ by: session, kind: 'passkey.reject', about: row.id, facts })
  }
  return taken
}

async function take(
  session: Session,
  row: CommandRow,
  except: string | null,
  input: Assertion,
): Promise<AssertionResult> {
  const db = await store()
  const passkey = await findPasskey(db, session.actor, input.id)
  if (passkey === undefined || !(await isPasskeyGenuine(db, passkey)))
    return no('not-theirs', 'This is not your passkey')
  if (passkey.id === except) return no('the-one-removed', 'A passkey cannot confirm its own removal')
  const challenge = challengeIn(input.response.clientDataJSON)
  const command = { id: row.id, effect: row.effect ?? '' }
  if (
    challenge === null ||
    !isOfEffect(challenge, command.effect) ||
    !(await takeChallenge(db, challenge, { actor: session.actor, command }))
  ) {
    return no('not-asked', 'The passkey request expired, was already used, or is for another change')
  }
  const verified = await verify(passkey, challenge, input)
  if (verified === null) return no('not-verified', 'The passkey was not accepted')
  await recordPasskeyUse(db, passkey.id, { counter: verified.newCounter, backed_up: verified.credentialBackedUp })
  const { clientDataJSON, authenticatorData, signature } = input.response
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

async function verify({ id, public_key, counter }: Passkey, expectedChallenge: string, input: Assertion) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  if (isCrossOrigin(input.response.clientDataJSON)) return null
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...input, rawId: input.id, type: 'public-key', clientExtensionResults: {} },
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

const CHARS_MAX = 8_192
const base64url = z
  .string()
  .max(CHARS_MAX)
  .regex(/^[\w-]+$/)

/** WebAuthn `AuthenticationResponseJSON`. */
export const assertion = z.object({
  id: base64url,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

export type Assertion = z.output<typeof assertion>

/** WebAuthn `RegistrationResponseJSON`. */
export const attestation = z.object({
  id: base64url,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(
        z
          .string()
          .max(40)
          .regex(/^[a-z-]+$/),
      )
      .max(10)
      .default([]),
  }),
})

export type Attestation = z.output<typeof attestation>

const prompt = {
  class: 'step-up',
  rejected: false,
  triesLeft: 0,
  lockedSeconds: null,
  digits: null,
  problem: null,
} as const

const WANTED: StepUpOutcome = {
  ...prompt,
  need: 'passkey',
  title: 'Your passkey is needed',
  advice: 'Nothing has changed yet. Your passkey confirms exactly this change.',
}

const NONE: StepUpOutcome = {
  ...prompt,
  need: 'passkey-enrolment',
  title: 'This needs a passkey',
  advice: 'Nothing has changed. Add a passkey under Security, then come back.',
}

/** Null if nothing is missing. Sending checks the journal again. */
export async function missingPasskey(
  session: Session,
  row: CommandRow,
  input: Assertion | null,
): Promise<CommandView | null> {
  const db = await store()
  const need = await passkeyNeedOf(db, row)
  if (need === null || (input === null && (await isAsserted(db, row, need)))) return null
  if (input === null) {
    const usable = (await findPasskeys(db, session.actor)).some(({ id }) => id !== need.except)
    return viewOf(row, usable ? WANTED : NONE)
  }
  const taken = await takeAssertion(session, row, need, input)
  if (!taken.ok) return viewOf(row, { ...WANTED, rejected: true, title: taken.title, advice: TRY_AGAIN })
  await inJournal(db, async (trx) => {
    appendNote(trx, row.id, await insertAssertion(trx, row, taken.assertion))
  })
  return null
}

const TRY_AGAIN = 'Nothing has changed. Try again with one of your passkeys.'

type PasskeyOptions =
  | { readonly ok: true; readonly options: Awaited<ReturnType<typeof generateAuthenticationOptions>> }
  | { readonly ok: false; readonly problem: Problem }

const conflict = (title: string): PasskeyOptions => ({
  ok: false,
  problem: problemOf('service', { status: 409, title }),
})

export async function askPasskey(session: Session, id: string): Promise<PasskeyOptions> {
  const row = await findCommand(await store(), id)
  if (row?.effect == null) return notFound
  const need = row.actor === session.actor ? await needOfAuthor(row) : await needOfApprover(session, row)
  if (need === null) return conflict('It does not need your passkey.')
  if ('problem' in need) return { ok: false, problem: need.problem }
  const db = await store()
  const passkeys = (await findPasskeys(db, session.actor)).filter((passkey) => passkey.id !== need.except)
  if (passkeys.length === 0) return conflict('You have no passkey for this. Add one under Security.')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: new Uint8Array(effectChallenge(row.effect)),
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) as string[] })),
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  })
  await saveChallenge(db, options.challenge, { actor: session.actor, command: { id: row.id, effect: row.effect } })
  return { ok: true, options }
}

async function needOfAuthor(row: CommandRow): Promise<PasskeyNeed | null> {
  const unsent = row.state === 'draft' || row.state === 'awaiting_approval'
  return unsent ? await passkeyNeedOf(await store(), row) : null
}

async function needOfApprover(
  session: Session,
  row: CommandRow,
): Promise<PasskeyNeed | { readonly problem: Problem } | null> {
  if (row.state === 'draft') return notFound
  const not = await refusalToDecide(session, row)
  if (not !== null) return not.unseen ? notFound : not
  const request = await findRequest(await store(), row.id)
  return row.state === 'awaiting_approval' && request?.passkey ? { except: null } : null
}
