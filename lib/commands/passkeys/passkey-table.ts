import 'server-only'
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { genuineEvents, isGenuine } from '#lib/commands/genuine-events.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'
import { CHALLENGE_SECONDS } from './relying-party.ts'

export type Passkey = Selectable<Tables['passkey']>

export const findPasskeys = (db: Kysely<Tables>, actor: string): Promise<Passkey[]> =>
  db.selectFrom('passkey').selectAll().where('actor', '=', actor).orderBy('created_at').orderBy('id').execute()

export const findPasskey = (db: Kysely<Tables>, actor: string, id: string): Promise<Passkey | undefined> =>
  db.selectFrom('passkey').selectAll().where('actor', '=', actor).where('id', '=', id).executeTakeFirst()

/** Requires a genuine event that this person added this key, and none of its removal. */
export async function isPasskeyGenuine(db: Kysely<Tables>, { id, actor, public_key }: Passkey): Promise<boolean> {
  const commands = await db
    .selectFrom('command')
    .select('id')
    .where('kind', '=', 'passkey.add')
    .where('target', '=', id)
    .where('actor', '=', actor)
    .execute()
  for (const command of commands) {
    const [event] = await genuineEvents(db, command.id)
    if (event?.actor !== actor) continue
    const added = event.body.passkey as { readonly id?: unknown; readonly publicKey?: unknown } | undefined
    if (added?.id === id && added.publicKey === public_key) return !(await wasRemoved(db, actor, id))
  }
  return false
}

/** Reads events, because rows may be altered. The condition must match the index. */
async function wasRemoved(db: Kysely<Tables>, actor: string, id: string): Promise<boolean> {
  const removals = await db
    .selectFrom('command_event')
    .selectAll()
    .where('actor', '=', actor)
    .where(sql<SqlBool>`state = 'done' AND starts_with(body, '{"kind":"passkey.remove"')`)
    .execute()
  return removals.some(
    (event) => isGenuine(event) && (JSON.parse(event.body) as { readonly target: unknown }).target === id,
  )
}

export const insertPasskey = (trx: Trx, passkey: Passkey) => trx.insertInto('passkey').values(passkey).execute()

export const deletePasskey = (trx: Trx, actor: string, id: string) =>
  trx.deleteFrom('passkey').where('actor', '=', actor).where('id', '=', id).execute()

export const notePasskeyUse = (db: Kysely<Tables>, id: string, told: Pick<Passkey, 'counter' | 'backed_up'>) =>
  db
    .updateTable('passkey')
    .set({ ...told, last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()

export interface ChallengeFor {
  readonly actor: string
  readonly command: { readonly id: string; readonly effect: string } | null
}

export async function keepChallenge(db: Kysely<Tables>, challenge: string, { actor, command }: ChallengeFor) {
  const own = { actor, command_id: command?.id ?? '' }
  await db
    .deleteFrom('passkey_challenge')
    .where(({ or, and, eb }) => or([eb('expires_at', '<', databaseNow), and(own)]))
    .execute()
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge,
      actor,
      command_id: command?.id ?? null,
      effect: command?.effect ?? null,
      expires_at: sql<number>`${databaseNow} + ${CHALLENGE_SECONDS}`,
    })
    .execute()
}

/** Single use: true once, in time, for the same person, change and effect. */
export async function takeChallenge(db: Kysely<Tables>, challenge: string, { actor, command }: ChallengeFor) {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('actor', '=', actor)
    .where('command_id', 'is not distinct from', command?.id ?? null)
    .where('effect', 'is not distinct from', command?.effect ?? null)
    .where('expires_at', '>', databaseNow)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
