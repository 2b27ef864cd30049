import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { log } from '#lib/config/log.ts'
import { bootId, perProcess } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { adminRule, type Claims, hasAdminClaim, hasStaffClaim } from '#lib/session/sign-in/admission.ts'
import { verifyFromProvider } from '#lib/session/sign-in/provider-token.ts'
import { store } from '#lib/store/store.ts'
import { meters } from '#lib/telemetry/meters.ts'
import type { TokenPair } from './box.ts'
import type { RefreshResult } from './refresh-result.ts'
import { revoke } from './revoke-ended.ts'
import { refreshWithService } from './service-tokens.ts'
import { findSession, releaseLease, type SessionRow, saveAdminRule, saveTokens, takeLease } from './session-table.ts'
import { refreshWithSso } from './sso-tokens.ts'
import { boxFor, tokensOf } from './vault.ts'

/** What became of one generation of a session's tokens. */
export type Renewal =
  | { readonly kind: 'renewed'; readonly token: string }
  | { readonly kind: Exclude<RefreshResult['kind'], 'refreshed'> }

/** Longer than a refresh can take, so that no two processes ever refresh one generation. */
const LEASE_MS = 30_000
const LOOK_EVERY_MS = 100

/** Replaces one generation of a session's tokens, once, however many ask for it in this process or in others. */
export function renew(session: Session, row: SessionRow): Promise<Renewal> {
  const running = perProcess('renewals', () => new Map<string, Promise<Renewal>>())
  const generation = `${session.id} ${row.token_serial}`
  const known = running.get(generation)
  if (known !== undefined) return known
  const renewal = renewOrWait(session, row.token_serial).finally(() => running.delete(generation))
  running.set(generation, renewal)
  return renewal
}

/** Renews with the lease on this generation, or waits for the process that has it. */
async function renewOrWait(session: Session, serial: number): Promise<Renewal> {
  const db = await store()
  const deadline = Date.now() + LEASE_MS
  while (Date.now() < deadline) {
    const row = await findSession(db, session.id)
    const tokens = row === undefined ? null : tokensOf(session, row)
    if (row === undefined || tokens === null) return { kind: 'over' }
    if (row.token_serial > serial) return { kind: 'renewed', token: tokens.accessToken }
    const now = Date.now()
    const taken = await takeLease(db, {
      id: session.id,
      serial,
      by: bootId(),
      now: new Date(now).toISOString(),
      endsAt: new Date(now + LEASE_MS).toISOString(),
    })
    if (taken) return await renewWithLease(session, serial, tokens)
    await wait(LOOK_EVERY_MS)
  }
  return { kind: 'unavailable' }
}

async function renewWithLease(session: Session, serial: number, tokens: TokenPair): Promise<Renewal> {
  const { refreshToken, idToken } = tokens
  const db = await store()
  const result = await (session.method === 'sso' ? refreshWithSso(refreshToken) : refreshWithService(refreshToken))
  meters().tokenRefresh(session.method, result.kind)
  if (result.kind !== 'refreshed') {
    log().warn({ event: 'refresh', result: result.kind, method: session.method }, 'tokens were not renewed')
    await releaseLease(db, session.id, bootId())
    return result
  }
  // Before anything else: the old refresh token is spent, so this pair is the session.
  const { receivedAt, endsAt } = result.tokens
  const next = { serial: serial + 1, box: boxFor(session, { ...result.tokens, idToken }), receivedAt, endsAt }
  if (!(await saveTokens(db, session.id, next))) return await withoutARow(session, result.tokens)
  const claims = result.idToken === undefined ? null : await claimsAnew(session, result.idToken)
  if (claims !== null && session.admittedBy === 'claim' && !hasStaffClaim(claims)) {
    await endSession(session.id, 'not-staff')
    return { kind: 'over' }
  }
  if (claims !== null) await saveAdminRule(db, session.id, hasAdminClaim(claims) ? adminRule(session.id) : null)
  return { kind: 'renewed', token: result.tokens.accessToken }
}

/** The claims of an ID token that is verified and of the same subject. Null for any other, which says nothing. */
async function claimsAnew(session: Session, idToken: string): Promise<Claims | null> {
  try {
    const { payload } = await verifyFromProvider(idToken)
    const row = await findSession(await store(), session.id)
    return payload.sub !== undefined && payload.sub === row?.idp_subject ? payload : null
  } catch (error) {
    log().warn({ event: 'refresh', idToken: error instanceof Error ? error.name : 'unknown' }, 'not verified')
    return null
  }
}

/** The session was ended, or renewed by somebody else, while the provider was asked. A pair that nobody keeps is revoked. */
async function withoutARow(session: Session, { refreshToken }: TokenPair): Promise<Renewal> {
  const row = await findSession(await store(), session.id)
  const theirs = row === undefined ? null : tokensOf(session, row)
  if (theirs !== null) return { kind: 'renewed', token: theirs.accessToken }
  if (session.method === 'sso') await revoke(refreshToken)
  return { kind: 'over' }
}
