/** A session as the server sees it, for the page to tell when it is about to end. */
export type SessionState = EndedSession | LivingSession

export interface EndedSession {
  readonly signedIn: false
  /** As far as it is known yet: the stream of news tells the end alone. */
  readonly why?: 'ended' | 'ended-by-admin'
}

export interface LivingSession {
  readonly signedIn: true
  /** Whose session it is, so that a page notices when somebody else has signed in. */
  readonly actor: string
  /** Milliseconds, not times: the clocks of browser and server may differ. */
  readonly msLeft: number
  readonly endsBy: 'idle' | 'absolute'
  readonly msSinceActive: number
  /** Names the build of the console that says this. */
  readonly build: string
}

const MINUTE_MS = 60_000

/** How long before its end a session says so: two minutes, or half of an idle limit that is hardly longer. */
export const warnBeforeMs = (idleMs: number): number => (idleMs >= 3 * MINUTE_MS ? 2 * MINUTE_MS : idleMs / 2)

/** At most one beacon in this time: a minute, or half of an idle limit that is no longer than that. */
export const beaconPauseMs = (idleMs: number): number => (idleMs > MINUTE_MS ? MINUTE_MS : idleMs / 2)

/** `1:54`; a second that has begun counts whole. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
