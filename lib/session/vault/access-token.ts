import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { TokenPair } from './box.ts'
import { type Renewal, renew } from './renewal.ts'
import { findSession, type SessionRow } from './session-table.ts'
import { tokensOf } from './vault.ts'

export type AccessToken =
  | { readonly ok: true; readonly token: string }
  /** `over`: sign in again. `unavailable`: the provider is down, the token has ended and the session continues. */
  | { readonly ok: false; readonly why: 'over' | 'unavailable' }

const REFRESH_AT = 0.75
/** A caller with a live token waits this long for the provider. */
const PATIENCE_MS = 2_000

const KEPT_MAX = 10_000

type KeptToken = Pick<TokenPair, 'accessToken' | 'receivedAt' | 'endsAt'>

/** By session id. Dropped when the session ends in any process (`watch-ends.ts`). */
const kept = (): BoundedCache<KeptToken> =>
  perProcess('access tokens', () => {
    const tokens = boundedCache<KeptToken>(KEPT_MAX)
    onSessionEnded((sessionId) => tokens.delete(sessionId))
    return tokens
  })

/** Only for live sessions, whose end removes the token. */
function keepToken({ id }: Session, { accessToken, receivedAt, endsAt }: TokenPair): void {
  if (liveSessions().has(id)) kept().set(id, { accessToken, receivedAt, endsAt })
}

/**
 * `rejected`: the service answered it with 401. A due or rejected token is first read from the store, since another
 * process may have renewed it. Ends the session when the tokens are refused for good.
 */
export async function accessToken(session: Session, rejected: string | null = null): Promise<AccessToken> {
  const known = kept().get(session.id)
  if (known !== undefined && !isDue(known) && known.accessToken !== rejected) {
    return { ok: true, token: known.accessToken }
  }
  const row = await findSession(await store(), session.id)
  const tokens = row === undefined ? null : tokensOf(session, row)
  if (tokens === null || tokens.accessToken === rejected) kept().delete(session.id)
  else keepToken(session, tokens)
  const usable = tokens !== null && lives(tokens) && tokens.accessToken !== rejected ? tokens.accessToken : null
  if (usable !== null && row !== undefined && tokens !== null && !(isDue(tokens) && isFree(row))) {
    return { ok: true, token: usable }
  }
  const renewal = row === undefined || tokens === null ? ({ kind: 'over' } as const) : renew(session, row)
  const answer = judge(await (usable === null ? renewal : Promise.race([renewal, outOfPatience()])), usable)
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
