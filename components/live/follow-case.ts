import type { CaseEvent } from '#lib/domain/case-stream.ts'
import { retryDelayMs } from '#lib/domain/retry-delay.ts'
import { readEvents } from './read-events.ts'

/** `paused`: other tabs have taken its place, and it does not come back by itself. */
export type CaseNews =
  | CaseEvent
  | { readonly type: 'opening' }
  | { readonly type: 'offline' }
  | { readonly type: 'paused' }

export interface Following {
  /** Asks for the stream. */
  open(signal: AbortSignal): Promise<Response>
  tell(news: CaseNews): void
  /** Ends it all. */
  readonly signal: AbortSignal
}

/** A whole console that starts anew is not asked by all its tabs in the same moment. */
const RESYNC_WITHIN_MS = 1_000

/**
 * Follows a stream, and opens it again whenever it breaks, until the signal. Ends by itself when the console does not want
 * it to come back: the session is over, or other tabs have taken its place.
 */
export async function followCase({ open, tell, signal }: Following): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    tell({ type: 'opening' })
    const end = await listen(open, signal, (event) => {
      failures = 0
      tell(event)
    })
    if (signal.aborted) return
    if (end === 'resync') {
      await pause(Math.random() * RESYNC_WITHIN_MS, signal)
      continue
    }
    tell({ type: end === 'paused' ? 'paused' : 'offline' })
    if (end !== 'broken') return
    await pause(retryDelayMs(failures, Math.random()), signal)
    failures += 1
  }
}

/** One stream, from its opening to its end, however that comes. */
async function listen(
  open: Following['open'],
  signal: AbortSignal,
  tell: (event: CaseEvent) => void,
): Promise<'resync' | 'closed' | 'paused' | 'broken'> {
  try {
    const response = await open(signal)
    if (!response.ok || response.body === null) return response.status < 500 ? 'closed' : 'broken'
    for await (const event of readEvents(response.body)) {
      if (event.type === 'resync') return 'resync'
      if (event.type === 'closed') return event.why === 'too-many-streams' ? 'paused' : 'closed'
      if (!signal.aborted) tell(event)
    }
  } catch {
    // The line broke, or the console does not answer.
  }
  return 'broken'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
  })
}
