import type { Session, SignInMethod } from '#lib/session/session.ts'
import type { ListedSession } from '#lib/session/session-lists.ts'
import { browserWords } from '#lib/session/user-agent.ts'

/** Sent to the browser, so it holds only what the page shows and the id to end the session. */
export interface SessionRow {
  readonly id: string
  readonly person: string
  readonly userId: string
  /** The number of the person's sessions. */
  readonly ofPerson: number
  readonly startedAt: string
  readonly lastActiveAt: string
  readonly browser: string
  /** Null when no trusted proxy reports the address. */
  readonly address: string | null
  readonly method: SignInMethod
  /** `this` is the viewer's current session; `own` is another session of the viewer. */
  readonly whose: 'this' | 'own' | 'other'
}

export const sessionRow = (listed: ListedSession, looking: Session): SessionRow => ({
  id: listed.id,
  person: listed.display_name,
  userId: listed.user_id,
  ofPerson: listed.of_person,
  startedAt: listed.created_at,
  lastActiveAt: listed.last_active_at,
  browser: browserWords(listed.user_agent),
  address: listed.address,
  method: listed.method,
  whose: whoseOf(listed, looking),
})

function whoseOf({ id, actor }: ListedSession, looking: Session): SessionRow['whose'] {
  if (id === looking.id) return 'this'
  return actor === looking.actor ? 'own' : 'other'
}
