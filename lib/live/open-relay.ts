import 'server-only'
import { config } from '#lib/config/config.ts'
import { DISPUTE_HUB_PATH } from '#lib/contract/dispute-hub.ts'
import { accessToken } from '#lib/session/access-token.ts'
import type { Session } from '#lib/session/session.ts'
import { threadService } from '#lib/thread/thread-service.ts'
import { HubLine } from './hub-line.ts'
import type { Schedule } from './schedule.ts'
import { SessionRelay } from './session-relay.ts'

/** A relay between the configured service and one session, with that session's tokens. Connects when the first case is watched. */
export const openRelay = (session: Session, schedule: Schedule): SessionRelay =>
  new SessionRelay({
    service: threadService(session),
    schedule,
    openHub: (listener) =>
      new HubLine({
        url: config().coreWsUrl + DISPUTE_HUB_PATH,
        token: (rejected) => accessToken(session, rejected),
        listener,
        schedule,
      }),
  })
