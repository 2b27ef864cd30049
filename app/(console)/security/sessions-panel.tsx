import { Panel } from '#components/frame/panel.tsx'
import { config } from '#lib/config/config.ts'
import { ownSessions } from '#lib/session/own-sessions.ts'
import type { Session, SignInMethod } from '#lib/session/session.ts'
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
        sessions={sessions.map(({ userAgent, method, ...listed }) => ({
          ...listed,
          browser: browserWords(userAgent),
          way: wayWords(method, session.method),
        }))}
      />
    </Panel>
  )
}

/** One person may sign in both ways: a session of the other way is theirs as well. */
function wayWords(method: SignInMethod, own: SignInMethod): string {
  const way = method === 'sso' ? config().sso.name : 'a password'
  return method === own ? `Signed in with ${way}` : `You, signed in another way: with ${way}`
}
