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

interface Asked {
  /** Made by the browser: a retry after a lost answer is the same command and sends nothing. */
  readonly id: string
  readonly kind: AnyKind
  readonly params: unknown
}

type Refused = Extract<DraftReply, { ok: false }>

/**
 * Both halves of the command endpoint in one request, for kinds without a confirmation. If the person's command already
 * exists, returns its outcome.
 */
export async function sendAtOnce(session: Session, asked: Asked, detach: Detach): Promise<CommandReply | Refused> {
  const known = await commandWith(asked.id)
  const refused = known === undefined ? await draftUnlessThere(session, asked) : null
  if (refused !== null) return refused
  if (known !== undefined && known.actor !== session.actor) return notFound
  return await executeCommand(session, asked.id, { code: null, proof: null, fresh: known === undefined }, detach)
}

/** Null if a draft exists. If the same request arrives twice, the other one's draft is used. */
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

export const hasCommand = async (id: string): Promise<boolean> => (await commandWith(id)) !== undefined

const commandWith = async (id: string): Promise<CommandRow | undefined> => findCommand(await store(), id)
