import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { CommandRow } from '#lib/commands/command-table.ts'
import { genuineBodies } from '#lib/commands/genuine-events.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'
import { isPasskeyGenuine } from './passkey-table.ts'
import { isOfEffect } from './relying-party.ts'

/**
 * Others can verify this later: the signature covers `authenticatorData` and the SHA-256 of `clientDataJSON`, whose
 * challenge starts with the effect digest. All base64url.
 */
export interface KeptAssertion {
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

export interface PasskeyNeed {
  /** A passkey cannot confirm its own removal. */
  readonly except: string | null
}

/** Validity before the first send; a code may be requested meanwhile. */
const ASSERTION_SECONDS = 300

/** `assertedAt`: seconds since 1970 by the database's clock. */
interface AssertionNote extends Readonly<Record<string, unknown>> {
  readonly assertion: KeptAssertion
  readonly assertedAt: number
}

export async function insertAssertion(
  trx: Trx,
  { id, effect }: Pick<CommandRow, 'id' | 'effect'>,
  assertion: KeptAssertion,
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
