import type { Caller } from '#sandbox/http/caller.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { currentRow } from '#sandbox/ledger/rows.ts'
import type { World } from '#sandbox/world/world.ts'
import { transactionNotFound, visibleTo } from './visible.ts'
import { transactionBody } from './wire.ts'

export async function readTransaction(world: World, caller: Caller, referenceId: string): Promise<Answer> {
  // PostgreSQL cannot compare text with NUL.
  const row = referenceId.includes('\0') ? undefined : await currentRow(world.db, referenceId)
  if (row === undefined || !visibleTo(caller, row)) throw transactionNotFound()
  return ok(transactionBody(row))
}
