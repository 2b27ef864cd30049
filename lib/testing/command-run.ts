import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { type AnyCommand, type AnyServiceCommand, commandNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { kinds } from '#lib/kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

export function kindOrFail(name: CommandKindName): AnyCommand {
  const kind = commandNamed(name)
  if (kind === undefined) throw new Error(`there is no kind ${name}`)
  return kind
}

export function serviceKindOrFail(name: CommandKindName): AnyServiceCommand {
  const kind = kindOrFail(name)
  if (!('send' in kind)) throw new Error(`${name} sends nothing to the service`)
  return kind
}

export const draftOf = (session: Session, kind: CommandKindName, params: unknown): Promise<DraftReply> =>
  draftCommand(session, kinds[kind], params)

type TakenReply = Extract<CommandReply, { ok: true }>

/** Drafts a change and sends it; fails where the draft is refused. */
export async function runCommand(
  session: Session,
  kind: CommandKindName,
  params: unknown,
  proof: string | null = null,
  code: string | null = null,
): Promise<TakenReply> {
  const drafted = await draftOf(session, kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const reply = await executeCommand(session, drafted.draft.id, { code, proof }, () => {})
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply
}

/** Has the limit of changes and codes in ten minutes count none that were made so far. */
export async function makeRoomForChanges(): Promise<void> {
  const db = await store()
  await db.updateTable('command').set({ batch: 'earlier' }).execute()
  await db.deleteFrom('code_attempt').execute()
}
