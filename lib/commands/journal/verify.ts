import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { chainEnd, macOf } from './chain.ts'

export interface ChainReport {
  readonly events: number
  /** Compare it with an earlier one in the log. */
  readonly end: string
  readonly faults: readonly ChainFault[]
}

export interface ChainFault {
  readonly sequence: number
  readonly what: string
}

const FAULTS_MAX = 20
const CHUNK = 10_000

/** Finds edited, removed, added or moved events, a truncated end, and commands that differ from their latest event. */
export async function verifyChain(db: Kysely<Tables>, key: Buffer): Promise<ChainReport> {
  const faults: ChainFault[] = []
  const end = await chainEnd(db)
  let [sequence, previous] = [0, '']
  for (;;) {
    const events = await eventsBetween(db, sequence, end.sequence)
    for (const event of events) {
      if (event.sequence !== sequence + 1)
        faults.push({ sequence: sequence + 1, what: gapWords(sequence, event.sequence) })
      if (event.previous_mac !== previous)
        faults.push({ sequence: event.sequence, what: 'does not follow the event before it' })
      if (macOf(event, key) !== event.mac)
        faults.push({ sequence: event.sequence, what: 'was changed after it was written' })
      sequence = event.sequence
      previous = event.mac
      if (faults.length >= FAULTS_MAX) return { events: sequence, end: previous, faults }
    }
    if (events.length < CHUNK) break
  }
  if (end.sequence !== sequence || end.mac !== previous) {
    faults.push({ sequence: end.sequence, what: `is the recorded end, but the last event is ${sequence}` })
  }
  const beyond = await eventBeyondTheEnd(db)
  if (beyond !== null) faults.push({ sequence: beyond, what: 'comes after the recorded end' })
  for (const id of await commandsBesideTheirEvents(db))
    faults.push({ sequence, what: `command ${id} is not in the state of its latest event` })
  return { events: sequence, end: previous, faults }
}

const eventsBetween = (db: Kysely<Tables>, after: number, end: number) =>
  db
    .selectFrom('command_event')
    .selectAll()
    .where('sequence', '>', after)
    .where('sequence', '<=', end)
    .orderBy('sequence')
    .limit(CHUNK)
    .execute()

/** One query sees the events and the recorded end together. */
async function eventBeyondTheEnd(db: Kysely<Tables>): Promise<number | null> {
  const found = await db
    .selectFrom('command_event')
    .select('sequence')
    .where('sequence', '>', ({ selectFrom }) => selectFrom('command_chain').select('sequence').where('one', '=', 1))
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  return found?.sequence ?? null
}

const gapWords = (last: number, next: number): string =>
  next === last + 2 ? 'is missing' : `to ${next - 1} are missing`

async function commandsBesideTheirEvents(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db
    .with('latest', (cte) =>
      cte
        .selectFrom('command_event')
        .distinctOn('command_id')
        .select(['command_id', 'state'])
        .orderBy('command_id')
        .orderBy('sequence', 'desc'),
    )
    .selectFrom('command')
    .leftJoin('latest', 'latest.command_id', 'command.id')
    .select('command.id')
    .where((where) =>
      where.or([where('latest.state', 'is', null), where('latest.state', '!=', where.ref('command.state'))]),
    )
    .orderBy('command.id')
    .limit(FAULTS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}
