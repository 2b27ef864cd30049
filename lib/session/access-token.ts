import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { bootId } from '#lib/config/boot.ts'
import { log } from '#lib/config/log.ts'
import { findSession, releaseLease, type SessionRow, saveTokens, takeLease } from '#lib/store/sessions.ts'
import { store } from '#lib/store/store.ts'
import { endSession } from './end-session.ts'
import type { RefreshResult } from './refresh-result.ts'
import { refreshWithService } from './service-tokens.ts'
import type { Session } from './session.ts'
import { refreshWithSso } from './sso-tokens.ts'
import { boxFor, type TokenPair, tokensOf } from './vault.ts'

export type AccessToken =
  | { readonly ok: true; readonly token: string }
  /** `over`: sign in again. `unavailable`: the provider is out and the token has ended; the session lives on. */
  | { readonly ok: false; readonly why: 'over' | 'unavailable' }

/** A token is renewed when this share of its life is behind it. */
const REFRESH_AT = 0.75
/** Longer than a refresh can take, so that no two processes ever refresh one generation. */
const LEASE_MS = 30_000
const WAIT_MS = 100

const shared = globalThis as typeof globalThis & { consoleRefreshes?: Map<string, Promise<AccessToken>> }

function refreshes(): Map<string, Promise<AccessToken>> {
  shared.consoleRefreshes ??= new Map()
  return shared.consoleRefreshes
}

/**
 * The access token to use now, renewed first if its time has come. `rejected` is a token that the service has just
 * answered 401 to: it is renewed whatever its age. All callers of one session in this process share one renewal.
 */
export async function accessToken(session: Session, rejected: string | null = null): Promise<AccessToken> {
  const row = await findSession(await store(), session.id)
  const tokens = row === undefined ? null : tokensOf(session, row)
  if (row === undefined || tokens === null) return { ok: false, why: 'over' }
  if (tokens.accessToken !== rejected && isFresh(tokens)) return { ok: true, token: tokens.accessToken }
  const running = refreshes().get(session.id)
  if (running !== undefined) return await running
  const renewal = renew(session, row, rejected).finally(() => refreshes().delete(session.id))
  refreshes().set(session.id, renewal)
  return await renewal
}

function isFresh({ receivedAt, endsAt }: TokenPair): boolean {
  const received = Date.parse(receivedAt)
  return Date.now() < received + (Date.parse(endsAt) - received) * REFRESH_AT
}

/** Renews, or waits for the process that does. */
async function renew(session: Session, first: SessionRow, rejected: string | null): Promise<AccessToken> {
  const db = await store()
  const deadline = Date.now() + LEASE_MS
  for (let row: SessionRow | undefined = first; Date.now() < deadline; row = await findSession(db, session.id)) {
    const tokens = row === undefined ? null : tokensOf(session, row)
    if (row === undefined || tokens === null) return { ok: false, why: 'over' }
    if (row.token_serial > first.token_serial) return { ok: true, token: tokens.accessToken }
    const now = Date.now()
    const lease = {
      id: session.id,
      serial: row.token_serial,
      by: bootId(),
      now: new Date(now).toISOString(),
      endsAt: new Date(now + LEASE_MS).toISOString(),
    }
    if (await takeLease(db, lease)) return await renewWithLease(session, row, tokens, rejected)
    await wait(WAIT_MS)
  }
  return { ok: false, why: 'unavailable' }
}

async function renewWithLease(
  session: Session,
  row: SessionRow,
  tokens: TokenPair,
  rejected: string | null,
): Promise<AccessToken> {
  const db = await store()
  const result = await refreshAtProvider(session, tokens.refreshToken)
  if (result.kind === 'refreshed') {
    // Before anything else: the old refresh token is spent, so this pair is the session.
    const { receivedAt, endsAt } = result.tokens
    const serial = row.token_serial + 1
    await saveTokens(db, session.id, { serial, box: boxFor(session, result.tokens), receivedAt, endsAt })
    return { ok: true, token: result.tokens.accessToken }
  }
  log().warn({ event: 'refresh', result: result.kind, method: session.method }, 'tokens were not renewed')
  const alive = tokens.accessToken !== rejected && Date.parse(tokens.endsAt) > Date.now()
  if (result.kind === 'over' || (result.kind === 'refused' && !alive)) {
    await endSession(session.id, 'refused')
    return { ok: false, why: 'over' }
  }
  await releaseLease(db, session.id, bootId())
  return alive ? { ok: true, token: tokens.accessToken } : { ok: false, why: 'unavailable' }
}

function refreshAtProvider(session: Session, refreshToken: string): Promise<RefreshResult> {
  return session.method === 'sso' ? refreshWithSso(refreshToken) : refreshWithService(refreshToken)
}
