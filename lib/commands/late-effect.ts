import 'server-only'
import { log } from '#lib/config/log.ts'
import { store } from '#lib/store/store.ts'
import type { Outcome } from './command.ts'
import type { Description } from './command-kind.ts'
import { findLater } from './command-lists.ts'
import { type CommandRow, findCommand, moveCommand } from './command-table.ts'
import { retakeKeys } from './kept-locks.ts'
import { areSame, locksOf, writeSettlement } from './view.ts'

/** Logs an alarm. Does nothing if a later command may have caused the effect. */
export async function reopen(row: CommandRow, description: Description): Promise<CommandRow> {
  const db = await store()
  if ((await laterSame(row)).length > 0) return row
  const keys = locksOf(row).flatMap(({ key, forEver }) => (forEver ? [key] : []))
  const outcome: Outcome = { class: 'done', late: true, ...description }
  let lost: readonly string[] = []
  const reopened = await moveCommand(
    db,
    row.id,
    {
      from: ['not_applied'],
      to: 'applied',
      outcome: JSON.stringify(outcome),
      note: { answer: 'read', late: 'an effect showed that had not shown before' },
      reconcileUntil: null,
      late: true,
    },
    async (trx) => {
      lost = await retakeKeys(trx, row.id, keys)
      await writeSettlement(trx, row, null)
    },
  )
  if (reopened === null) return (await findCommand(db, row.id)) ?? row
  const alarm = { event: 'late-effect', id: row.id, kind: row.kind, keysHeldByOthers: lost.length }
  log().error(alarm, 'a change took effect after it had been told that no effect shows')
  return reopened
}

/** Excludes commands that share no key, such as another message in the same case. */
export async function laterSame(row: CommandRow): Promise<CommandRow[]> {
  const later = await findLater(await store(), row)
  return later.filter((other) => areSame(row, other))
}
