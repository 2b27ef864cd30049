import { Panel } from '#components/frame/panel.tsx'
import { ownSessions } from '#lib/session/own-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import { SessionList } from './session-list.tsx'

/** Where a person is signed in, and how to end what they do not recognise. */
export async function SessionsPanel({ session }: { session: Session }) {
  const sessions = await ownSessions(session)
  return (
    <Panel title="Your sessions">
      <p className="px-3.5 pt-3 text-secondary-foreground text-sm">
        Where you are signed in to this console. At most five: a sixth sign-in ends the least recently active.
      </p>
      <SessionList
        sessions={sessions.map(({ id, userAgent, startedAt, lastActiveAt, current }) => ({
          id,
          browser: browserWords(userAgent),
          startedAt,
          lastActiveAt,
          current,
        }))}
      />
    </Panel>
  )
}
