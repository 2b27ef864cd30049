import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { canView, ruleOfChange } from './access.ts'
import type { CommandReply } from './command.ts'
import { type CommandRow, findCommand, noteOn } from './command-table.ts'
import { inJournal } from './journal.ts'
import { freeKeys } from './kept-locks.ts'
import { laterSame } from './late-effect.ts'
import { wholeViewFor } from './person-view.ts'
import { type Reconciled, reconcileCommand } from './reconcile.ts'
import { recordRefusal } from './recorded-act.ts'
import { kindNamed } from './registry.ts'
import { notFound } from './view.ts'

/** Only a person frees these keys, never a timer: with the scope, a reason and a new read that does not contradict. */
export async function freeLock(session: Session, id: string, why: string): Promise<CommandReply> {
  const row = await findToHandle(session, id, 'freeing what a change keeps')
  if (row === null) return notFound
  if (row.state !== 'not_applied') return { ok: true, command: await wholeViewFor(session, row) }
  const reconciled = await reconcileCommand(session, row)
  const against = await contradiction(reconciled)
  if (against !== null) return { ok: true, command: await wholeViewFor(session, reconciled.command), notice: against }
  await free(session, reconciled.command, why)
  return { ok: true, command: await wholeViewFor(session, (await findCommand(await store(), id)) ?? row) }
}

async function findToHandle(session: Session, id: string, what: string): Promise<CommandRow | null> {
  const row = await findCommand(await store(), id)
  if (row === undefined) return null
  const refusal = await refusedBy(session, ruleOfChange(row).change)
  if (refusal !== null) await recordRefusal(session, what, refusal, id)
  return refusal === null && kindNamed(row.kind) !== undefined && (await canView(session, row)) ? row : null
}

/** Keeps the locks, and a late effect still raises an alarm. */
export async function dismissChange(session: Session, id: string, why: string): Promise<CommandReply> {
  const row = await findToHandle(session, id, 'dismissing a change')
  if (row === null) return notFound
  const db = await store()
  await inJournal(db, async (trx) => {
    if (!(await markHandled(trx, id))) return
    noteOn(trx, id, { dismissed: true, by: session.actor, byName: session.displayName, why })
  })
  return { ok: true, command: await wholeViewFor(session, (await findCommand(db, id)) ?? row) }
}

async function markHandled(trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('command')
    .set({ handled_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function contradiction({ command, found }: Reconciled): Promise<string | null> {
  if (found === null) return null
  if ('kind' in found)
    return `${problemWords(found).title}. Nothing is freed before the service can be read: try again later.`
  if (command.state !== 'not_applied') return 'An effect shows after all, so nothing is freed.'
  if (!found.settled) {
    return found.showsNoEffect ? null : `What the service shows does not rule an effect out. ${found.shows}`
  }
  if ('without' in found) return null
  // Only a `done` answer proves that another change caused the effect.
  const later = await laterSame(command)
  return later.some(({ state }) => state === 'done')
    ? null
    : 'An effect shows, and nothing tells that it is of another change, so nothing is freed.'
}

async function free(session: Session, { id }: CommandRow, why: string): Promise<void> {
  const db = await store()
  await inJournal(db, async (trx) => {
    const still = await trx
      .selectFrom('command')
      .select('state')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (still?.state !== 'not_applied') return
    const freed = await freeKeys(trx, id)
    if (freed.length === 0) return
    await markHandled(trx, id)
    noteOn(trx, id, { freed, by: session.actor, byName: session.displayName, why })
  })
}
