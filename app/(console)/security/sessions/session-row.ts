import type { ListedSession } from '#lib/session/all-sessions-table.ts'
import type { Session, SignInMethod } from '#lib/session/session.ts'
import { browserWords } from '#lib/session/user-agent.ts'

/** What the browser gets of somebody's session: no more than is shown, and what ends it. */
export interface SessionRow {
  readonly id: string
  readonly person: string
  readonly userId: string
  /** How many sessions they have. */
  readonly ofPerson: number
  readonly startedAt: string
  readonly lastActiveAt: string
  /** Browser and system in words. */
  readonly browser: string
  /** Null where no proxy tells it. */
  readonly address: string | null
  readonly method: SignInMethod
  /** `this`: the one that looks; `own`: another one of the same person. */
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
