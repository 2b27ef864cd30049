import 'server-only'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { CHANGES_STOPPED, problemOf } from '#lib/contract/problem-of.ts'
import { databaseNow, inTransaction } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type Checkpoint, cosignedAt, isSignedCheckpoint, readCheckpoint } from './checkpoint.ts'
import { AlteredLog, consistencyProof, rootAt } from './proofs.ts'
import { logEvents, logHead } from './sequencer.ts'

/** The latest checkpoint with its proof, as a C2SP tlog-witness request. Null before the first. */
export async function checkpointFor(db: Kysely<Tables>, from: number): Promise<string | null> {
  const { size, checkpoint } = await logHead(db)
  if (size === 0) return null
  const proof = from > size ? [] : await consistencyProof(db, from, size)
  const lines = proof.map((hash) => `${Buffer.from(hash, 'hex').toString('base64')}\n`)
  return `old ${from}\n${lines.join('')}\n${checkpoint}`
}

/** `conflict`: this log did not grow from it; changes are refused from then on. */
type Received = 'stored' | 'conflict' | 'unsigned'

export async function receiveCosigned(db: Kysely<Tables>, note: string): Promise<Received> {
  const { witness, logKeys } = config()
  const checkpoint = readCheckpoint(note)
  if (witness === null || checkpoint === null || !isSignedCheckpoint(note, checkpoint, logKeys)) return 'unsigned'
  const at = cosignedAt(note, checkpoint, witness.publicKey)
  if (at === null) return 'unsigned'
  return await inTransaction(db, async (trx) => {
    const { size, conflict, ...known } = await trx
      .selectFrom('log_head')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!(await hadRoot(trx, size, checkpoint))) {
      if (conflict === '') await trx.updateTable('log_head').set({ conflict: note }).execute()
      log().error({ event: 'journal-conflict', size, confirmed: checkpoint.size }, 'the witness confirmed another log')
      return 'conflict'
    }
    // By size first: the witness’s clock may be set back. What was received before counts once.
    if (checkpoint.size > known.cosigned_size || (checkpoint.size === known.cosigned_size && at > known.cosigned_at)) {
      const latest = { cosigned: note, cosigned_size: checkpoint.size, cosigned_at: at, cosigned_received: databaseNow }
      await trx.updateTable('log_head').set(latest).execute()
    }
    return 'stored'
  })
}

async function hadRoot(db: Kysely<Tables>, size: number, confirmed: Checkpoint): Promise<boolean> {
  if (confirmed.size > size) return false
  try {
    return (await rootAt(db, confirmed.size)) === confirmed.root
  } catch (error) {
    if (error instanceof AlteredLog) return false
    throw error
  }
}

/** Null unless the witness confirmed another log than this store has. */
export async function refusedByWitness(db: Kysely<Tables>): Promise<Problem | null> {
  const { conflict } = await logHead(db)
  if (conflict === '') return null
  return problemOf('service', { status: 503, code: CHANGES_STOPPED })
}

export interface WitnessStatus {
  /** Of the log and of what the witness confirmed. */
  readonly size: number
  readonly confirmedSize: number
  /** ISO 8601, by the witness's clock; null before its first confirmation. */
  readonly confirmedAt: string | null
  readonly lagSeconds: number
  readonly conflict: { readonly size: number } | null
}

export async function witnessStatus(db: Kysely<Tables>): Promise<WitnessStatus | null> {
  if (config().witness === null) return null
  const age = sql<number>`${databaseNow} - cosigned_received`.as('age')
  const known = await db.selectFrom('log_head').selectAll().select(age).executeTakeFirstOrThrow()
  const { size, cosigned, cosigned_size: confirmedSize, conflict } = known
  const confirmed = readCheckpoint(conflict)
  return {
    size,
    confirmedSize,
    confirmedAt: cosigned === '' ? null : new Date(known.cosigned_at * 1000).toISOString(),
    lagSeconds: Math.max(0, known.age),
    conflict: confirmed && { size: confirmed.size },
  }
}

/** Ends a conflict, and logs that. False unless the witness confirmed `confirmedSize` entries. */
export const continueLog = (db: Kysely<Tables>, confirmedSize: number): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const { size, root, conflict } = await trx.selectFrom('log_head').selectAll().forUpdate().executeTakeFirstOrThrow()
    if (readCheckpoint(conflict)?.size !== confirmedSize) return false
    const unconfirmed = { conflict: '', cosigned: '', cosigned_size: 0, cosigned_at: 0, cosigned_received: 0 }
    await trx.updateTable('log_head').set(unconfirmed).execute()
    const body = { size, root, confirmed: conflict }
    await logEvents(trx, [{ at: new Date().toISOString(), state: 'log.continue', actor: 'operations', body }])
    return true
  })
