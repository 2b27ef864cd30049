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
  /** Made by the browser: a retry after a lost answer sends nothing. */
  readonly id: string
  readonly kind: AnyKind
  readonly params: unknown
}

type Refused = Extract<DraftReply, { ok: false }>

/** For kinds without a confirmation. Returns the stored outcome if the command exists. */
export async function sendAtOnce(session: Session, asked: Asked, detach: Detach): Promise<CommandReply | Refused> {
  const known = await commandWith(asked.id)
  const refused = known === undefined ? await draftUnlessThere(session, asked) : null
  if (refused !== null) return refused
  if (known !== undefined && known.actor !== session.actor) return notFound
  return await executeCommand(session, asked.id, { code: null, proof: null, fresh: known === undefined }, detach)
}

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
