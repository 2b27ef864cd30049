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
  /** `over`: sign in again. `unavailable`: the provider is out and the token has ended; the session lives on. */
  | { readonly ok: false; readonly why: 'over' | 'unavailable' }

/** A token is renewed when this share of its life is behind it. */
const REFRESH_AT = 0.75
/** A token that still lives is good enough: nobody who has one waits longer than this for a provider that hangs. */
const PATIENCE_MS = 2_000

/** No process has more people than this. Of one more, the token is read from the store for each call. */
const KEPT_MAX = 10_000

type KeptToken = Pick<TokenPair, 'accessToken' | 'receivedAt' | 'endsAt'>

/** By session id, in memory alone; forgotten when the session ends, in any process (`watch-ends.ts`). */
const kept = (): BoundedCache<KeptToken> =>
  perProcess('access tokens', () => {
    const tokens = boundedCache<KeptToken>(KEPT_MAX)
    onSessionEnded((sessionId) => tokens.delete(sessionId))
    return tokens
  })

/** Only while it is known here that the session lives: else nothing would tell that it has ended. */
function keepToken({ id }: Session, { accessToken, receivedAt, endsAt }: TokenPair): void {
  if (liveSessions().has(id)) kept().set(id, { accessToken, receivedAt, endsAt })
}

/**
 * The access token to use now, renewed first if its time has come. `rejected` is a token that the service has just
 * answered 401 to: it counts as ended at any age. A session that turns out to be over is ended here. A token stays
 * in memory until it is due. Then, and after a 401, the store is asked: another process may have renewed it.
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

/** Whether nobody is renewing these tokens already. */
const isFree = ({ lease_ends_at: leasedUntil }: SessionRow): boolean =>
  leasedUntil === null || leasedUntil < new Date().toISOString()

const outOfPatience = (): Promise<Renewal> => wait(PATIENCE_MS, { kind: 'unavailable' }, { ref: false })

/** What a renewal leaves a caller with, who may still have a token that lives. */
export function judge(renewal: Renewal, usable: string | null): AccessToken {
  if (renewal.kind === 'renewed') return { ok: true, token: renewal.token }
  if (renewal.kind === 'over') return { ok: false, why: 'over' }
  if (usable !== null) return { ok: true, token: usable }
  return { ok: false, why: renewal.kind === 'refused' ? 'over' : 'unavailable' }
}
