import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { errorName, log } from '#lib/config/log.ts'
import { boundedCache, perProcess } from '#lib/config/per-process.ts'
import { onSessionEnded } from '#lib/session/live-sessions.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'
import { openBox } from './box.ts'
import { type Revocation, revokeWithSso } from './tokens.ts'

/** `nothing`: another process took the token, there is none, or {@link isShared}. */
type EndedRevocation = Revocation | 'nothing'

/** After the last pause the token lives until it expires. */
const AGAIN_AFTER_MS = [5_000, 30_000, 120_000, 600_000]

const REMEMBERED_MAX = 1_000
const REMEMBERED_MS = 60_000

/** Only the process that takes the token from the store revokes it. Retries run in the background. */
export function revokeEnded(sessionId: string, dataKey: Buffer): Promise<EndedRevocation> {
  const attempts = perProcess('tokens revoked', () =>
    boundedCache<Promise<EndedRevocation>>(REMEMBERED_MAX, REMEMBERED_MS),
  )
  const known = attempts.get(sessionId)
  if (known !== undefined) return known
  const attempt = takeAndRevoke(sessionId, dataKey).catch((error: unknown) => {
    log().error({ event: 'revocation', error: errorName(error) })
    return 'nothing' as const
  })
  attempts.set(sessionId, attempt)
  return attempt
}

export const revokeAtEnds = (): (() => void) =>
  onSessionEnded((id, session) => void revokeEnded(id, Session.dataKeyOf(session)))

async function takeAndRevoke(sessionId: string, dataKey: Buffer): Promise<EndedRevocation> {
  const taken = await takeToken(sessionId)
  const tokens = taken === null ? null : openBox(dataKey, sessionId, taken.box)
  return tokens === null || taken === null ? 'nothing' : await revoke(tokens.refreshToken, taken.idp_sid)
}

/** A provider may revoke the grant of all its tokens, so a newer session would end too. Null: the store is out. */
async function isShared(idpSid: string | null): Promise<boolean | null> {
  if (idpSid === null) return false
  const found = store().then((db) => db.selectFrom('session').select('id').where('idp_sid', '=', idpSid).execute())
  return await found.then((rows) => rows.length > 0).catch(() => null)
}

type KeptToken = Pick<Tables['ended_token'], 'box' | 'idp_sid'>

const TRIES_MAX = 8

/** Null when another process took it. Reads first, because the answer to a delete can be lost. */
async function takeToken(sessionId: string): Promise<KeptToken | null> {
  let taken: KeptToken | null = null
  for (let failures = 0; ; failures += 1) {
    try {
      const db = await store()
      const kept = await db
        .selectFrom('ended_token')
        .select(['box', 'idp_sid'])
        .where('session_id', '=', sessionId)
        .executeTakeFirst()
      if (kept === undefined) return taken
      taken = kept
      const { numDeletedRows } = await db
        .deleteFrom('ended_token')
        .where('session_id', '=', sessionId)
        .executeTakeFirst()
      return numDeletedRows > 0n || failures > 0 ? taken : null
    } catch (error) {
      if (failures === TRIES_MAX) throw error
      await wait(retryDelayMs(failures, Math.random()), undefined, { ref: false })
    }
  }
}

/** Resolves like {@link revokeEnded}. */
export async function revoke(refreshToken: string, idpSid: string | null = null): Promise<EndedRevocation> {
  const shared = await isShared(idpSid)
  const revocation = shared === false ? await revokeWithSso(refreshToken) : 'nothing'
  if (shared === null || revocation === 'unreachable') void revokeLater(refreshToken, idpSid)
  return revocation
}

export async function revokeLater(
  refreshToken: string,
  idpSid: string | null,
  pausesMs = AGAIN_AFTER_MS,
): Promise<void> {
  const { signal } = perProcess('later revocations', () => new AbortController())
  for (const pauseMs of pausesMs) {
    await wait(pauseMs, undefined, { ref: false, signal }).catch(() => {})
    const shared = signal.aborted || (await isShared(idpSid))
    if (shared || (shared === false && (await revokeWithSso(refreshToken)) !== 'unreachable')) return
  }
  log().warn({ event: 'revocation' }, 'a refresh token could not be revoked, and ends by itself')
}
