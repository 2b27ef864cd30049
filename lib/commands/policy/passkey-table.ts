import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { PasskeyNeed } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import { parsedJson } from '#lib/contract/json.ts'
import { genuineBodies, genuineEvents, isGenuine } from '#lib/journal/event.ts'
import { databaseNow } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'

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

export const recordPasskeyUse = (db: Kysely<Tables>, id: string, reported: Pick<Passkey, 'counter' | 'backed_up'>) =>
  db
    .updateTable('passkey')
    .set({ ...reported, last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('counter', '<=', reported.counter)
    .execute()

export interface ChallengeFor {
  readonly actor: string
  readonly command: { readonly id: string; readonly effect: string } | null
}

export async function saveChallenge(db: Kysely<Tables>, challenge: string, { actor, command }: ChallengeFor) {
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

/** Base64url. The signature covers `authenticatorData` and the SHA-256 of `clientDataJSON`, which has the digest. */
export interface StoredAssertion {
  readonly by: string
  readonly name: string
  readonly credentialId: string
  /** COSE. */
  readonly publicKey: string
  readonly challenge: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  /** `synced`: can be copied to other devices (WebAuthn backup eligibility). */
  readonly synced: boolean
  readonly backedUp: boolean
}

/** Validity before the first send; a code may be requested meanwhile. */
const ASSERTION_SECONDS = 300

/** `assertedAt`: seconds since 1970 by the database's clock. */
interface AssertionNote extends Readonly<Record<string, unknown>> {
  readonly assertion: StoredAssertion
  readonly assertedAt: number
}

export async function insertAssertion(
  trx: Trx,
  { id, effect }: Pick<CommandRow, 'id' | 'effect'>,
  assertion: StoredAssertion,
): Promise<AssertionNote> {
  const { challenge, by, credentialId } = assertion
  const { at } = await trx
    .insertInto('passkey_assertion')
    .values({
      challenge,
      command_id: id,
      actor: by,
      effect: effect ?? '',
      credential_id: credentialId,
      at: databaseNow,
    })
    .returning('at')
    .executeTakeFirstOrThrow()
  return { assertion, assertedAt: at }
}

/** Rows count only if a genuine journal event agrees. A command that waits for a code keeps its first assertion. */
export async function isAsserted(db: Kysely<Tables>, row: CommandRow, { except }: PasskeyNeed): Promise<boolean> {
  const found = await db
    .selectFrom('passkey_assertion')
    .innerJoin('passkey', (on) =>
      on
        .onRef('passkey.id', '=', 'passkey_assertion.credential_id')
        .onRef('passkey.actor', '=', 'passkey_assertion.actor'),
    )
    .selectAll('passkey')
    .select(['passkey_assertion.challenge', 'passkey_assertion.at'])
    .where('passkey_assertion.command_id', '=', row.id)
    .where('passkey_assertion.actor', '=', row.actor)
    .where('passkey_assertion.effect', '=', row.effect ?? '')
    .$if(row.state !== 'challenged', (query) =>
      query.where('passkey_assertion.at', '>', sql<number>`${databaseNow} - ${ASSERTION_SECONDS}`),
    )
    .execute()
  if (found.length === 0) return false
  const notes = (await genuineBodies(db, row.id)).filter(
    (body): body is AssertionNote => body.effect === row.effect && body.assertion !== undefined,
  )
  for (const { challenge, at, ...passkey } of found) {
    const isNoted = notes.some(
      ({ assertion, assertedAt }) =>
        assertedAt === at &&
        assertion.challenge === challenge &&
        isOfEffect(challenge, row.effect ?? '') &&
        assertion.by === row.actor &&
        assertion.credentialId === passkey.id &&
        assertion.publicKey === passkey.public_key,
    )
    if (isNoted && passkey.id !== except && (await isPasskeyGenuine(db, passkey))) return true
  }
  return false
}

/** Passkeys are bound to the host of `NEXTAUTH_URL`. */
export function relyingParty(): { readonly id: string; readonly origin: string; readonly name: string } {
  const { baseUrl } = config()
  return { id: new URL(baseUrl).hostname, origin: baseUrl, name: 'Back-office console' }
}

export const CHALLENGE_SECONDS = 120

function readClientData(clientDataJSON: string): { challenge?: unknown; crossOrigin?: unknown } | null {
  const data = parsedJson(Buffer.from(clientDataJSON, 'base64url').toString())
  return typeof data === 'object' ? data : null
}

export function challengeIn(clientDataJSON: string): string | null {
  const challenge = readClientData(clientDataJSON)?.challenge
  return typeof challenge === 'string' && /^[\w-]+$/.test(challenge) ? challenge : null
}

/** The WebAuthn library does not reject use in another site's frame. */
export const isCrossOrigin = (clientDataJSON: string): boolean => readClientData(clientDataJSON)?.crossOrigin === true

const NONCE_BYTES = 32
const DIGEST_BYTES = 32
const TIME_BYTES = 6

/** Effect digest plus nonce. */
export const effectChallenge = (effect: string): Buffer =>
  Buffer.concat([Buffer.from(effect, 'hex'), randomBytes(NONCE_BYTES)])

export const isOfEffect = (challenge: string, effect: string): boolean =>
  Buffer.from(challenge, 'base64url').subarray(0, DIGEST_BYTES).toString('hex') === effect

/** The expiry and a MAC under AUDIT_KEY prevent a forged row. */
export function registrationChallenge(actor: string): Buffer {
  const end = Buffer.alloc(TIME_BYTES)
  end.writeUIntBE(Date.now() + CHALLENGE_SECONDS * 1000, 0, TIME_BYTES)
  const open = Buffer.concat([end, randomBytes(NONCE_BYTES)])
  return Buffer.concat([open, registrationMac(open, actor)])
}

export function isRegistrationChallenge(challenge: string, actor: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== TIME_BYTES + NONCE_BYTES + DIGEST_BYTES) return false
  const [open, mac] = [bytes.subarray(0, -DIGEST_BYTES), bytes.subarray(-DIGEST_BYTES)]
  return timingSafeEqual(mac, registrationMac(open, actor)) && open.readUIntBE(0, TIME_BYTES) > Date.now()
}

const registrationMac = (open: Buffer, actor: string): Buffer =>
  createHmac('sha256', config().auditKey)
    .update(JSON.stringify(['passkey registration', actor, open.toString('base64url')]))
    .digest()
