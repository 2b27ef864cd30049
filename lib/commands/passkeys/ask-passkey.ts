import 'server-only'
import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { findRequest } from '#lib/commands/approvals/approval-table.ts'
import { whyNotDecide } from '#lib/commands/approvals/may-decide.ts'
import { type CommandRow, findCommand } from '#lib/commands/command-table.ts'
import { passkeyNeedOf } from '#lib/commands/policy/policy-gate.ts'
import { notFound } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { PasskeyNeed } from './kept-assertion.ts'
import { findPasskeys, keepChallenge } from './passkey-table.ts'
import { CHALLENGE_SECONDS, effectChallenge, relyingParty } from './relying-party.ts'

export type PasskeyOptions =
  | { readonly ok: true; readonly options: Awaited<ReturnType<typeof generateAuthenticationOptions>> }
  | { readonly ok: false; readonly problem: Problem }

const conflict = (title: string): PasskeyOptions => ({
  ok: false,
  problem: problemOf('service', { status: 409, title }),
})

export async function askPasskey(session: Session, id: string): Promise<PasskeyOptions> {
  const row = await findCommand(await store(), id)
  if (row?.effect == null) return notFound
  const asked = row.actor === session.actor ? await askedOfAuthor(row) : await askedOfApprover(session, row)
  if (asked === null) return conflict('It takes no passkey of yours.')
  if ('problem' in asked) return { ok: false, problem: asked.problem }
  const db = await store()
  const passkeys = (await findPasskeys(db, session.actor)).filter((passkey) => passkey.id !== asked.except)
  if (passkeys.length === 0) return conflict('You have no passkey for this. Add one under Security.')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: new Uint8Array(effectChallenge(row.effect)),
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) as string[] })),
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  })
  const command = { id: row.id, effect: row.effect }
  await keepChallenge(db, options.challenge, { actor: session.actor, command })
  return { ok: true, options }
}

async function askedOfAuthor(row: CommandRow): Promise<PasskeyNeed | null> {
  const unsent = row.state === 'draft' || row.state === 'awaiting_approval'
  return unsent ? await passkeyNeedOf(await store(), row) : null
}

async function askedOfApprover(
  session: Session,
  row: CommandRow,
): Promise<PasskeyNeed | { readonly problem: Problem } | null> {
  if (row.state === 'draft') return notFound
  const not = await whyNotDecide(session, row)
  if (not !== null) return not.unseen ? notFound : not
  const request = await findRequest(await store(), row.id)
  return row.state === 'awaiting_approval' && request?.passkey ? { except: null } : null
}
