import 'server-only'
import { log } from '#lib/config/log.ts'
import { store } from '#lib/store/store.ts'
import type { Outcome } from './command.ts'
import type { Description } from './command-kind.ts'
import { findLater } from './command-lists.ts'
import { type CommandRow, findCommand, moveCommand } from './command-table.ts'
import { retakeKeys } from './kept-locks.ts'
import { areSame, locksOf, writeSettlement } from './view.ts'

/**
 * An effect shows that had not shown before: the command is reopened as one that took effect, its keys that are for ever
 * are taken again where a person had freed them, and the log has an alarm. Where a later command may be the reason, that
 * one is what it says about, and this one stays.
 */
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

/**
 * Commands that went out after this one, would have the same effect on the same target, and may have had it. One that
 * shares none of its keys is another matter: another message in the same case.
 */
export async function laterSame(row: CommandRow): Promise<CommandRow[]> {
  const later = await findLater(await store(), row)
  return later.filter((other) => areSame(row, other))
}
