import type { CommandReply } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { registrationChallenge, saveChallenge } from '#lib/commands/policy/passkey-table.ts'
import type { Assertion } from '#lib/commands/policy/passkeys.ts'
import { askPasskey } from '#lib/commands/policy/passkeys.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { addPasskey } from '#lib/two-factor/enrol-passkey.ts'
import { SoftPasskey } from './soft-passkey.ts'

/** A new passkey of somebody, as after a code of their authenticator. */
export async function passkeyOf(session: Session, name = 'Work laptop'): Promise<SoftPasskey> {
  const [passkey, challenge] = [new SoftPasskey(), registrationChallenge(session.actor).toString('base64url')]
  await saveChallenge(await store(), challenge, { actor: session.actor, command: null })
  const added = await addPasskey(session, name, passkey.make({ challenge }))
  if (!added.ok) throw new Error(added.problem.title ?? 'not added')
  return passkey
}

/** What the console asks a passkey of this person to sign for a change. */
export async function optionsFor(session: Session, id: string) {
  const request = await askPasskey(session, id)
  if (!request.ok) throw new Error(request.problem.title ?? 'not asked')
  return request.options
}

/** Sends a change with what a passkey signed. */
export async function sendWith(
  session: Session,
  id: string,
  passkey: Assertion | null,
): Promise<Extract<CommandReply, { ok: true }>['command']> {
  const running: Promise<unknown>[] = []
  const given = { code: null, proof: null, passkey }
  const reply = await executeCommand(session, id, given, (it) => running.push(it))
  await Promise.all(running)
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.command
}
