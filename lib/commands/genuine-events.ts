import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'
import { findEvents } from './command-lists.ts'
import { macOf } from './journal.ts'

/** The bodies of a command's events that have a MAC of ours: what was put into the journal beside the console is none. */
export async function genuineBodies(
  db: Kysely<Tables>,
  commandId: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await findEvents(db, commandId))
    .filter((event) => macOf(event, config().auditKey) === event.mac)
    .map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>)
}
