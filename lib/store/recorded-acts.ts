import 'server-only'
import { randomUUID } from 'node:crypto'
import { bootId } from '#lib/config/boot.ts'
import { eventOf } from './commands.ts'
import { appendEvent } from './journal.ts'
import type { Trx } from './tables.ts'

/**
 * What a person did with the console's own records, done when its transaction is; or what they tried and were refused, which
 * counts as nothing that they sent.
 */
export interface RecordedAct {
  readonly kind: 'statement.take' | 'statement.discard' | 'statement.edit-line' | 'access.refused'
  readonly actor: string
  readonly actorName: string
  readonly target: string
  readonly params: Readonly<Record<string, string | number>>
  /** JSON text of the outcome as the person is told it. */
  readonly outcome: string
  /** What the event says beside that. */
  readonly note?: Readonly<Record<string, unknown>>
}

/**
 * Puts an act on record, in the transaction that does it: a command that is done, with its one event. Answers its id. The
 * transaction is one of the journal, or one whose rows nobody else can see yet.
 */
export async function recordAct(trx: Trx, { kind, actor, actorName, ...act }: RecordedAct): Promise<string> {
  const now = new Date().toISOString()
  const refused = kind === 'access.refused'
  const row = await trx
    .insertInto('command')
    .values({
      id: randomUUID(),
      kind,
      state: refused ? 'refused' : 'done',
      actor,
      actor_name: actorName,
      target: act.target,
      params: JSON.stringify(act.params),
      facts: '{}',
      outcome: act.outcome,
      created_at: now,
      sent_at: refused ? null : now,
      settled_at: now,
      boot_id: bootId(),
      // Nothing that the door counts: what is done with one statement is one act of the person.
      batch: act.target,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendEvent(trx, eventOf(row, now, act.note))
  return row.id
}
