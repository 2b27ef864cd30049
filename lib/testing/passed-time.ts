import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'

export async function commandOrFail(id: string): Promise<CommandRow> {
  const row = await findCommand(await store(), id)
  if (row === undefined) throw new Error('the command is gone')
  return row
}

/** Lets a command have been sent so many seconds ago, and answers it. */
export async function sentSecondsAgo(id: string, seconds: number): Promise<CommandRow> {
  const sent_at = new Date(Date.now() - seconds * 1000).toISOString()
  await (await store()).updateTable('command').set({ sent_at }).where('id', '=', id).execute()
  return await commandOrFail(id)
}
