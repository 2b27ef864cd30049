export type SessionState = EndedSession | LivingSession

export interface EndedSession {
  readonly signedIn: false
  /** Absent when the end came over the event stream. */
  readonly why?: 'ended' | 'ended-by-admin'
}

export interface LivingSession {
  readonly signedIn: true
  /** Lets a page notice that another person has signed in. */
  readonly actor: string
  /** A duration, because the browser's clock may differ. */
  readonly msLeft: number
  readonly endsBy: 'idle' | 'absolute'
  readonly msSinceActive: number
  readonly build: string
  /** ISO 8601; null while the service answers. Only on the event stream. */
  readonly serviceSilentSince?: string | null
}

const MINUTE_MS = 60_000

export const warnBeforeMs = (idleMs: number): number => (idleMs >= 3 * MINUTE_MS ? 2 * MINUTE_MS : idleMs / 2)

export const beaconPauseMs = (idleMs: number): number => (idleMs > MINUTE_MS ? MINUTE_MS : idleMs / 2)

export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
