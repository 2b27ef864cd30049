import 'server-only'
import { config } from '#lib/config/config.ts'
import { isShuttingDown, onShutdown, perProcess } from '#lib/config/per-process.ts'
import { DISPUTE_HUB_PATH } from '#lib/contract/disputes.ts'
import { limitConcurrency, threadService } from '#lib/disputes/thread/thread-service.ts'
import { recordEventSoon } from '#lib/disputes/unread/thread-table.ts'
import { HubLine } from '#lib/live/hub-line.ts'
import { type Schedule, schedule } from '#lib/live/schedule.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'
import { SessionRelay } from './session-relay.ts'

const relays = (): Map<string, SessionRelay> =>
  perProcess('case relays', () => {
    const all = new Map<string, SessionRelay>()
    onSessionEnded((sessionId) => {
      all.get(sessionId)?.stop()
      all.delete(sessionId)
    })
    onShutdown(() => {
      for (const relay of all.values()) relay.stop()
    })
    return all
  })

/** Null if the session is over or the process shuts down. */
export function relayOf(session: Session): SessionRelay | null {
  if (isShuttingDown() || !liveSessions().has(session.id)) return null
  const relay = relays().get(session.id) ?? openRelay(session, schedule)
  relays().set(session.id, relay)
  return relay
}

export const openRelay = (session: Session, schedule: Schedule): SessionRelay =>
  new SessionRelay({
    service: limitConcurrency(threadService(session)),
    schedule,
    heard: recordEventSoon,
    openHub: (listener) =>
      new HubLine({
        url: config().coreWsUrl + DISPUTE_HUB_PATH,
        token: (rejected) => accessToken(session, rejected),
        listener,
        schedule,
      }),
  })
