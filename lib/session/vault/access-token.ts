import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { type BoundedCache, bootId, boundedCache, perProcess, steadyNow } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { adminRule, hasAdminClaim, readStaffClaim } from '#lib/session/sign-in/admission.ts'
import { verifyIdToken } from '#lib/session/sign-in/provider-token.ts'
import { store } from '#lib/store/store.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { retryDelayMs } from '#lib/values/concurrency.ts'
import type { TokenPair } from './box.ts'
import { revoke } from './revoke-ended.ts'
import {
  findSession,
  type RenewedTokens,
  releaseLease,
  type SessionRow,
  saveAdminRule,
  saveTokens,
  takeLease,
  type WhyEnded,
} from './session-table.ts'
import { type RefreshResult, refreshWithService, refreshWithSso } from './tokens.ts'
import { boxFor, tokensOf } from './vault.ts'

export type AccessToken =
  | { readonly ok: true; readonly token: string }
  /** `over`: sign in again. `unavailable`: the provider is down, the token has ended and the session continues. */
  | { readonly ok: false; readonly why: 'over' | 'unavailable' }

const REFRESH_AT = 0.75
/** A caller with a live token waits this long for the provider. */
const PATIENCE_MS = 2_000

const KEPT_MAX = 10_000

type KeptToken = Pick<TokenPair, 'accessToken' | 'receivedAt' | 'endsAt'>

/** By session id. Dropped when the session ends in any process (`live-sessions.ts`). */
const kept = (): BoundedCache<KeptToken> =>
  perProcess('access tokens', () => {
    const tokens = boundedCache<KeptToken>(KEPT_MAX)
    onSessionEnded((sessionId) => tokens.delete(sessionId))
    return tokens
  })

const RETRY_MS = 5_000
const RETRY_MAX_MS = 300_000

/** After failed renewals. */
const pauses = (): BoundedCache<true> => perProcess('renewal pauses', () => boundedCache<true>(KEPT_MAX, RETRY_MS))

/** Only for live sessions, whose end removes the token. */
function keepToken({ id }: Session, { accessToken, receivedAt, endsAt }: TokenPair): void {
  if (liveSessions().has(id)) kept().set(id, { accessToken, receivedAt, endsAt })
}

/** `rejected`: answered with 401. Reads the store first. Ends the session when the renewal is refused for good. */
export async function accessToken(
  session: Session,
  rejected: string | null = null,
  by: 'service' | 'hub' = 'service',
): Promise<AccessToken> {
  const known = kept().get(session.id)
  if (known !== undefined && !isDue(known) && known.accessToken !== rejected) {
    return { ok: true, token: known.accessToken }
  }
  const row = await findSession(await store(), session.id)
  const tokens = row === undefined ? null : tokensOf(session, row)
  if (tokens === null || tokens.accessToken === rejected) kept().delete(session.id)
  else keepToken(session, tokens)
  const living = tokens !== null && lives(tokens) ? tokens.accessToken : null
  const usable = living === rejected ? null : living
  const fallback = by === 'hub' ? living : usable
  const isRenewable = row !== undefined && tokens !== null && tokens.refreshToken !== ''
  const isPaused = rejected === null && pauses().has(session.id)
  const renews = isRenewable && (usable === null || (isDue(tokens) && isFree(row) && !isPaused))
  if (fallback !== null && !renews) return { ok: true, token: fallback }
  const renewal = isRenewable ? renew(session, row, isPaused) : ({ kind: 'over' } as const)
  const answer = judge(await (usable === null ? renewal : Promise.race([renewal, outOfPatience()])), fallback)
  if (!answer.ok && answer.why === 'over') await endSession(session.id, 'refused')
  return answer
}

const lives = ({ endsAt }: KeptToken): boolean => Date.parse(endsAt) > Date.now()

function isDue({ receivedAt, endsAt }: KeptToken): boolean {
  const received = Date.parse(receivedAt)
  return Date.now() >= received + (Date.parse(endsAt) - received) * REFRESH_AT
}

const isFree = ({ lease_ends_at: leasedUntil }: SessionRow): boolean =>
  leasedUntil === null || leasedUntil < new Date().toISOString()

const outOfPatience = (): Promise<Renewal> => wait(PATIENCE_MS, { kind: 'unavailable' }, { ref: false })

export function judge(renewal: Renewal, usable: string | null): AccessToken {
  if (renewal.kind === 'renewed') return { ok: true, token: renewal.token }
  if (renewal.kind === 'over') return { ok: false, why: 'over' }
  if (usable !== null) return { ok: true, token: usable }
  return { ok: false, why: renewal.kind === 'refused' ? 'over' : 'unavailable' }
}

type Renewal =
  | { readonly kind: 'renewed'; readonly token: string }
  | { readonly kind: Exclude<RefreshResult['kind'], 'refreshed'> }

/** Longer than a refresh can take, so that two processes never refresh one generation. */
const LEASE_MS = 30_000
const LOOK_EVERY_MS = 100

const renewals = () => perProcess('renewals', () => new Map<string, Promise<Renewal>>())

/** Before the process stops: a spent refresh token whose successor is not saved ends the session. */
export const endRenewals = (): Promise<unknown> =>
  Promise.race([Promise.allSettled(renewals().values()), wait(2 * LEASE_MS, null, { ref: false })])

/** Runs once per generation of tokens, across calls and processes. */
function renew(session: Session, row: SessionRow, isPaused: boolean): Promise<Renewal> {
  const running = renewals()
  const generation = `${session.id} ${row.token_serial}`
  const known = running.get(generation)
  if (known !== undefined) return known
  if (isPaused) return Promise.resolve({ kind: 'unavailable' })
  const renewal = renewOrWait(session, row.token_serial).finally(() => running.delete(generation))
  running.set(generation, renewal)
  return renewal
}

async function renewOrWait(session: Session, serial: number): Promise<Renewal> {
  const db = await store()
  const deadline = steadyNow() + LEASE_MS
  while (steadyNow() < deadline) {
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
    if (taken) return await renewWithLease(session, row, tokens)
    await wait(LOOK_EVERY_MS)
  }
  return { kind: 'unavailable' }
}

async function renewWithLease(session: Session, row: SessionRow, tokens: TokenPair): Promise<Renewal> {
  const { refreshToken, idToken } = tokens
  const db = await store()
  const result = await (session.method === 'sso' ? refreshWithSso(refreshToken) : refreshWithService(refreshToken))
  meters().tokenRefresh(session.method, result.kind)
  if (result.kind !== 'refreshed') {
    const { kind, status, oauthError, retryAfterSeconds } = result
    const askedMs = Math.min((retryAfterSeconds ?? 0) * 1000, RETRY_MAX_MS)
    pauses().set(session.id, true, { ttl: Math.max(RETRY_MS, askedMs) })
    log().warn(
      { event: 'refresh', result: kind, method: session.method, status, oauthError },
      'tokens were not renewed',
    )
    return (await releaseLease(db, session.id, bootId())) ? { kind } : await renewedElsewhere(session, row.token_serial)
  }
  // Before saving: the access token may belong to another person.
  if (namesAnotherIdentity(result.idToken, row.idp_subject)) {
    await written(() => endSession(session.id, 'identity-changed'))
    await revoke(result.tokens.refreshToken)
    return { kind: 'over' }
  }
  // Saved first, because the old refresh token is spent.
  const { receivedAt, endsAt } = result.tokens
  const next = { serial: row.token_serial + 1, box: boxFor(session, { ...result.tokens, idToken }), receivedAt, endsAt }
  if (!(await saveRenewed(session.id, next))) {
    const theirs = await renewedElsewhere(session, row.token_serial)
    if (theirs.kind === 'over' && session.method === 'sso') await revoke(result.tokens.refreshToken, row.idp_sid)
    return theirs
  }
  pauses().delete(session.id)
  const end = row.idp_subject === null ? null : await applyIdToken(session, result)
  if (end === null) return { kind: 'renewed', token: result.tokens.accessToken }
  await written(() => endSession(session.id, end))
  return { kind: 'over' }
}

/** Retries, because only this process knows what came with the refresh. */
async function written<Result>(write: (failures: number) => Promise<Result>): Promise<Result> {
  const deadline = steadyNow() + LEASE_MS
  for (let failures = 0; ; failures += 1) {
    try {
      return await write(failures)
    } catch (error) {
      if (steadyNow() >= deadline) throw error
      await wait(retryDelayMs(failures, Math.random()))
    }
  }
}

/** A save whose answer was lost is known by its box. */
const saveRenewed = (id: string, next: RenewedTokens): Promise<boolean> =>
  written(async (failures) => {
    const db = await store()
    return (await saveTokens(db, id, next)) || (failures > 0 && (await findSession(db, id))?.box === next.box)
  })

/** As discovery compares them. */
const isSameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && new URL(`${one.replace(/\/$/, '')}/`).href === new URL(`${other}/`).href

/** OpenID Connect Core, section 12.2. No signature check is needed: the token came over TLS from the token endpoint. */
function namesAnotherIdentity(idToken: string | undefined, subject: string | null): boolean {
  if (idToken === undefined || subject === null) return false
  const { issuer, clientId } = config().sso
  try {
    const { sub = subject, iss = issuer, aud = clientId } = decodeJwt(idToken)
    return sub !== subject || !isSameAddress(String(iss), issuer) || ![aud].flat().includes(clientId)
  } catch {
    return false
  }
}

async function applyIdToken(
  session: Session,
  { idToken, tokens: { accessToken } }: Extract<RefreshResult, { kind: 'refreshed' }>,
): Promise<WhyEnded | null> {
  if (idToken === undefined) return null
  const verified = await verifyIdToken(idToken, { nonce: undefined, accessToken })
  if (!verified.ok) {
    log().warn({ event: 'refresh', cause: verified.why }, 'an ID token that came with a refresh is not valid')
    return verified.why === 'issuer' || verified.why === 'audience' ? 'identity-changed' : null
  }
  const claim = session.admittedBy === 'claim' ? readStaffClaim(verified.claims) : null
  if (claim !== null && claim.shape !== 'match') {
    log().warn({ event: 'refresh', cause: 'not-staff', claim }, 'the ID token no longer marks the person as staff')
    return 'not-staff'
  }
  const rule = hasAdminClaim(verified.claims) ? adminRule(session.id) : null
  await written(async () => saveAdminRule(await store(), session.id, rule))
  return null
}

async function renewedElsewhere(session: Session, serial: number): Promise<Renewal> {
  const row = await findSession(await store(), session.id)
  const theirs = row === undefined ? null : tokensOf(session, row)
  if (row === undefined || theirs === null) return { kind: 'over' }
  return row.token_serial > serial ? { kind: 'renewed', token: theirs.accessToken } : { kind: 'unavailable' }
}
