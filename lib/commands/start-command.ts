import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { type CommandRow, type CommandState, holderOf, type LockHolder, type LockKey, moveIn } from './command-table.ts'
import { inJournal } from './journal.ts'
import { borrowLock } from './kept-locks.ts'
import { stoppedByPolicy } from './policy/policy-gate.ts'

export type Started =
  | { readonly ok: true; readonly command: CommandRow }
  | { readonly ok: false; readonly heldBy: LockHolder | null }
  | { readonly ok: false; readonly stopped: CommandRow }

/**
 * One transaction takes every lock, enforces the policy, changes the state and writes the event; it commits before the
 * request is sent. `heldBy` null: the command was sent or ended meanwhile.
 */
export async function startCommand(
  db: Kysely<Tables>,
  id: string,
  locks: readonly LockKey[],
  from: 'draft' | 'awaiting_approval' = 'draft',
): Promise<Started> {
  try {
    return await inJournal(db, async (trx) => {
      for (const lock of [...locks].sort((a, b) => (a.key < b.key ? -1 : 1))) {
        const taken = await trx
          .insertInto('command_lock')
          .values({ key: lock.key, command_id: id, for_ever: lock.forEver, back_to: null })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .executeTakeFirst()
        if (taken.numInsertedOrUpdatedRows !== 0n) continue
        if (await borrowLock(trx, lock.key, id)) continue
        const holder = await holderOf(trx, lock.key)
        if (holder === null) throw new LockFreed()
        // Another send of the same command was first.
        throw new LockTaken(holder.commandId === id ? null : holder)
      }
      const started = await sendOrStop(trx, id, from)
      if (started === null) throw new LockTaken(null)
      return started
    })
  } catch (error) {
    if (error instanceof LockTaken) return { ok: false, heldBy: error.holder }
    if (error instanceof LockFreed) return await startCommand(db, id, locks, from)
    throw error
  }
}

export const startAgain = (db: Kysely<Tables>, id: string): Promise<Started> =>
  inJournal(db, async (trx) => (await sendOrStop(trx, id, 'challenged')) ?? { ok: false, heldBy: null })

async function sendOrStop(trx: Trx, id: string, from: CommandState): Promise<Started | null> {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.state !== from) return null
  const stop = await stoppedByPolicy(trx, row)
  if (stop === null) {
    const note = from === 'challenged' ? { note: { again: true } } : {}
    const command = await moveIn(trx, id, { from: [from], to: 'sent', ...note })
    if (command !== null && !isSameChange(row, command))
      throw new Error('the store altered a change that was to be sent')
    return command && { ok: true, command }
  }
  const to = from === 'challenged' ? 'refused' : 'closed'
  const stopped = await moveIn(trx, id, { from: [from], to, outcome: JSON.stringify(stop.outcome), note: stop.note })
  return stopped && { ok: false, stopped }
}

/** A database trigger could make them differ. */
const isSameChange = (judged: CommandRow, sent: CommandRow): boolean =>
  (['kind', 'actor', 'target', 'params', 'facts', 'effect'] as const).every((column) => judged[column] === sent[column])

class LockTaken extends Error {
  readonly holder: LockHolder | null

  constructor(holder: LockHolder | null) {
    super('the lock is taken')
    this.holder = holder
  }
}

/** The holder settled meanwhile: retry. */
class LockFreed extends Error {}
