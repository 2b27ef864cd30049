import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CommandReply, DraftReply } from './command.ts'
import { type CommandRow, findCommand } from './command-table.ts'
import { draftCommand } from './draft.ts'
import { executeCommand } from './execute.ts'
import type { AnyKind } from './registry.ts'
import type { Detach } from './send-detached.ts'
import { notFound } from './view.ts'

/** A new command, as whoever asks for it names it. */
interface Asked {
  /** Made by the browser: asking again, because no answer came, is the same command and sends nothing. */
  readonly id: string
  readonly kind: AnyKind
  readonly params: unknown
}

type Refused = Extract<DraftReply, { ok: false }>

/**
 * Both halves of the command endpoint in one, for kinds that take no confirmation: drafts a command under the id it was given and
 * sends it. When there is such a command of this person already, answers what came of that.
 */
export async function sendAtOnce(session: Session, asked: Asked, detach: Detach): Promise<CommandReply | Refused> {
  const known = await commandWith(asked.id)
  const refused = known === undefined ? await draftUnlessThere(session, asked) : null
  if (refused !== null) return refused
  if (known !== undefined && known.actor !== session.actor) return notFound
  return await executeCommand(session, asked.id, { code: null, proof: null, fresh: known === undefined }, detach)
}

/** Null when there is a draft to go on with. The same request may come twice at once: then the other's will do. */
async function draftUnlessThere(session: Session, { id, kind, params }: Asked): Promise<Refused | null> {
  let refused: Refused | null = null
  let failure: unknown
  try {
    const reply = await draftCommand(session, kind, params, { id })
    if (reply.ok) return null
    refused = reply
  } catch (error) {
    failure = error
  }
  if ((await commandWith(id)) !== undefined) return null
  if (refused === null) throw failure
  return refused
}

/** Whether there is a command with this id, whosever it is. */
export const hasCommand = async (id: string): Promise<boolean> => (await commandWith(id)) !== undefined

const commandWith = async (id: string): Promise<CommandRow | undefined> => findCommand(await store(), id)
