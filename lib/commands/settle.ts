import 'server-only'
import type { Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import type { Told } from './command-kind.ts'
import { keepRows } from './keep.ts'
import { kindNamed } from './kinds.ts'
import { factsOf, paramsOf } from './view.ts'

export interface Looked {
  /** As it is afterwards. */
  readonly command: CommandRow
  /** This session cannot read any more. */
  readonly sessionOver: boolean
}

/** An answer that was lost can still be on its way; after this long, no effect means it did not happen. */
const NO_EFFECT_AFTER_MS = 120_000

const shared = globalThis as typeof globalThis & { consoleLooks?: Map<string, Promise<Looked>> }

/**
 * Settles an open command by reading the service, never by sending again. All who ask at once share one read. */
export async function settleByReading(session: Session, row: CommandRow): Promise<Looked> {
  shared.consoleLooks ??= new Map()
  const looks = shared.consoleLooks
  const running = looks.get(row.id)
  if (running !== undefined) return await running
  const look = settle(session, row).finally(() => looks.delete(row.id))
  looks.set(row.id, look)
  return await look
}

async function settle(session: Session, row: CommandRow): Promise<Looked> {
  const kind = kindNamed(row.kind)
  if (kind === undefined || kind.look === null) return { command: row, sessionOver: false }
  const sentAt = row.sent_at ?? row.created_at
  const sent = { facts: factsOf(row), actorUserId: userIdOf(row.actor), sentAt }
  const look = await kind.look(session, paramsOf(row), sent)
  if (!('settled' in look)) return { command: row, sessionOver: look.kind === 'session-over' }
  return {
    command: look.settled ? await applied(row, look.told) : await ifNothingShows(row, look.showsNoEffect),
    sessionOver: false,
  }
}

const applied = (row: CommandRow, told: Told) => moveTo(row, 'applied', { class: 'done', ...told })

async function ifNothingShows(row: CommandRow, showsNoEffect: boolean): Promise<CommandRow> {
  const sentAt = row.sent_at ?? row.created_at
  const waited = Date.now() - Date.parse(sentAt)
  if (row.state !== 'unknown' || !showsNoEffect || waited < NO_EFFECT_AFTER_MS) return row
  return await moveTo(row, 'not_applied', {
    class: 'refused',
    sent: true,
    title: 'It did not happen',
    advice: 'The service shows no effect two minutes after it was sent. It may be confirmed anew.',
    problem: null,
  })
}

/** The service's user id of who acted; null after password sign-in, when only the e-mail address is known. */
const userIdOf = (actor: string): string | null => (actor.startsWith('sso:') ? actor.slice('sso:'.length) : null)

async function moveTo(row: CommandRow, to: 'applied' | 'not_applied', outcome: Outcome): Promise<CommandRow> {
  const db = await store()
  const settled = await moveCommand(
    db,
    row.id,
    { from: ['unknown', 'accepted'], to, outcome: JSON.stringify(outcome), note: { answer: 'read' } },
    async (trx) => {
      if (to === 'applied') await keepRows(trx, row, null)
    },
  )
  return settled ?? (await findCommand(db, row.id)) ?? row
}
