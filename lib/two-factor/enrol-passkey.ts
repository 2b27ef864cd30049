import 'server-only'
import { createHash } from 'node:crypto'
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { recordEntry } from '#lib/commands/kind.ts'
import {
  CHALLENGE_SECONDS,
  challengeIn,
  findPasskeys,
  insertPasskey,
  isCrossOrigin,
  isRegistrationChallenge,
  registrationChallenge,
  relyingParty,
  saveChallenge,
  takeChallenge,
} from '#lib/commands/policy/passkey-table.ts'
import type { Attestation } from '#lib/commands/policy/passkeys.ts'
import { recordAct } from '#lib/commands/record.ts'
import { forgetTries, requiredStepUp, verify as verifyCode } from '#lib/commands/step-up.ts'
import { config } from '#lib/config/config.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { type Session, verifiedUntil } from '#lib/session/session.ts'
import { isUniqueViolation, store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { PASSKEYS_MAX, type PasskeyView } from './passkey.ts'

export const passkeyAdd = recordEntry({
  kind: 'passkey.add',
  place: () => ({ href: '/security', words: 'Open Security' }),
  title: ({ name }) => `Add the passkey “${name}”`,
})

interface Refused {
  readonly ok: false
  readonly problem: Problem
}

const refused = (status: number, title: string): Refused => ({
  ok: false,
  problem: problemOf('service', { status, title }),
})

/** COSE: Ed25519, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257]

const FULL = `You already have ${PASSKEYS_MAX} passkeys. Remove one first.`

export const passkeysAreAskedFor = (): boolean =>
  config().policy.rules.some(({ passkey, approval }) => passkey === true || approval?.passkey === true)

export const passkeysOf = async ({ actor }: Pick<Session, 'actor'>): Promise<readonly PasskeyView[]> =>
  (await findPasskeys(await store(), actor)).map(({ id, name, synced, created_at, last_used_at }) => ({
    ...{ id, name, synced },
    createdAt: created_at,
    lastUsedAt: last_used_at,
  }))

export type BegunPasskey =
  | {
      readonly ok: true
      readonly options: Awaited<ReturnType<typeof generateRegistrationOptions>>
      readonly verifiedUntil: string | null
    }
  | { readonly ok: false; readonly wanted: StepUpOutcome }
  | Refused

/** Requires a code of the service. */
export async function beginPasskey(session: Session, code: string): Promise<BegunPasskey> {
  const db = await store()
  const passkeys = await findPasskeys(db, session.actor)
  if (passkeys.length >= PASSKEYS_MAX) return refused(409, FULL)
  const prompt = `passkey ${session.id}`
  const required = await requiredStepUp(session, prompt)
  if (required.problem !== null) return { ok: false, problem: required.problem }
  if (required.need !== 'code') return refused(409, 'Set up two-factor security first: a passkey takes its code.')
  if (required.lockedSeconds !== null) return { ok: false, wanted: required }
  const verified = await verifyCode(session, { id: prompt, kind: 'passkey.add' }, code, { fresh: true })
  if (!verified.ok && verified.outcome === null) {
    forgetTries(prompt)
    return refused(409, 'Three codes were rejected. Check your authenticator’s clock, then start again.')
  }
  if (!verified.ok && verified.outcome !== null) return { ok: false, wanted: verified.outcome }
  const { id: rpID, name: rpName } = relyingParty()
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    challenge: new Uint8Array(registrationChallenge(session.actor)),
    userName: session.displayName,
    // One user handle for all passkeys of a person, without personal data.
    userID: new Uint8Array(createHash('sha256').update(session.actor).digest()),
    timeout: CHALLENGE_SECONDS * 1000,
    supportedAlgorithmIDs: ALGORITHMS,
    attestationType: 'none',
    authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) as string[] })),
  })
  await saveChallenge(db, options.challenge, { actor: session.actor, command: null })
  return { ok: true, options, verifiedUntil: verifiedUntil(session) }
}

export async function addPasskey(
  session: Session,
  name: string,
  given: Attestation,
): Promise<{ readonly ok: true } | Refused> {
  const db = await store()
  const challenge = challengeIn(given.response.clientDataJSON)
  const mine = { actor: session.actor, command: null }
  if (
    challenge === null ||
    !isRegistrationChallenge(challenge, session.actor) ||
    !(await takeChallenge(db, challenge, mine))
  ) {
    return refused(409, 'The two minutes are over, or it was already added. Start again.')
  }
  const made = await verify(challenge, given)
  if (made === null) return refused(409, 'The passkey’s answer is not valid. Nothing was added.')
  for (let attempt = 1; attempt <= PASSKEYS_MAX; attempt += 1) {
    try {
      return await inJournal(db, (trx) => keep(trx, session, name, made, given))
    } catch (error) {
      // A concurrent request took the slot, or this passkey is already stored.
      if (!isUniqueViolation(error)) throw error
    }
  }
  return refused(409, 'This passkey is already saved.')
}

type Made = NonNullable<Awaited<ReturnType<typeof verify>>>

async function keep(trx: Trx, session: Session, name: string, made: Made, given: Attestation) {
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = made
  const passkeys = await findPasskeys(trx, session.actor)
  const free = Array.from({ length: PASSKEYS_MAX }, (_, at) => at + 1).find((slot) =>
    passkeys.every((passkey) => passkey.slot !== slot),
  )
  if (free === undefined) return refused(409, FULL)
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  const kept = { synced: credentialDeviceType === 'multiDevice', backed_up: credentialBackedUp }
  await insertPasskey(trx, {
    id: credential.id,
    actor: session.actor,
    slot: free,
    name,
    public_key: publicKey,
    counter: credential.counter,
    transports: JSON.stringify(given.response.transports),
    aaguid,
    ...kept,
    created_at: new Date().toISOString(),
    last_used_at: null,
  })
  await recordAct(trx, {
    kind: 'passkey.add',
    actor: session.actor,
    actorName: session.displayName,
    target: credential.id,
    params: { name },
    outcome: JSON.stringify({ class: 'done', steps: [], lines: [{ label: 'Passkey', value: name, as: 'text' }] }),
    note: { passkey: { name, id: credential.id, publicKey, aaguid, synced: kept.synced, backedUp: kept.backed_up } },
  })
  return { ok: true } as const
}

async function verify(expectedChallenge: string, { id, response }: Attestation) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty()
  const { transports, ...signed } = response
  if (isCrossOrigin(response.clientDataJSON)) return null
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
    // Other formats have certificates: the library fetches the lists of revocations that these name.
    if (!['none', 'packed'].includes(decoded.get('fmt')) || decoded.get('attStmt').get('x5c')) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: signed },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo ?? null
  } catch {
    return null
  }
}
