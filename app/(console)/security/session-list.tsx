'use client'

import { useRef, useState, useTransition } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { answerInTime, askConsole, canRefreshAfter, notDoneWords, problemIn } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Monitor } from '#components/ui/icons.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'

interface ListedSession {
  readonly id: string
  readonly browser: string
  readonly way: string
  /** Null when no trusted proxy reports the address. */
  readonly address: string | null
  /** ISO 8601. */
  readonly startedAt: string
  readonly lastActiveAt: string
  readonly current: boolean
}

function useEnding() {
  const refresh = useAutomaticRefresh()
  const [ending, startEnding] = useTransition()
  const [said, setSaid] = useState('')
  const saying = useRef<HTMLParagraphElement>(null)

  const endAt = (path: string, words: string) => {
    if (ending) return
    startEnding(async () => {
      const problem = await endSessions(path, { method: 'DELETE' })
      // A dialog covers the page, which stays as it is until the operator signs in again.
      if (problem?.kind === 'session-over') return
      setSaid(problem === null ? words : notEndedWords(problem))
      if (problem === null || canRefreshAfter(problem)) refresh()
      // The button that had the focus disappears.
      saying.current?.focus()
    })
  }
  const endOthers = () => endAt('/api/session/sessions', 'All other sessions have ended.')
  return { ending, said, saying, endAt, endOthers }
}

/** The current session ends through "Sign out" in the account menu. */
export function SessionList({ sessions }: { sessions: readonly ListedSession[] }) {
  const { ending, said, saying, endAt, endOthers } = useEnding()
  return (
    <>
      <ul className="mt-3 border-t">
        {sessions.map((session) => (
          <li key={session.id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3.5 py-2">
            <Monitor aria-hidden className="size-4 shrink-0 text-muted-foreground" strokeWidth={1.75} />
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-[550]">{session.browser}</p>
              <p className="flex flex-wrap items-baseline gap-x-3 text-muted-foreground text-xs">
                <span>{session.way}</span>
                {session.address === null ? null : (
                  <span>
                    from <span className="mono">{session.address}</span>
                  </span>
                )}
                <span className="flex items-baseline gap-1">
                  Started <Timestamp value={session.startedAt} as="past" />
                </span>
                <span className="flex items-baseline gap-1">
                  Last active <Timestamp value={session.lastActiveAt} as="past" />
                </span>
              </p>
            </div>
            {session.current ? (
              <Badge variant="good">This one</Badge>
            ) : (
              <Button
                variant="outline"
                aria-disabled={ending}
                aria-label={`End the session of ${session.browser}`}
                onClick={() =>
                  endAt(`/api/session/sessions/${session.id}`, `The session of ${session.browser} has ended.`)
                }
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      <footer className="flex min-h-13 flex-wrap items-center gap-3 px-3.5 py-2.5">
        <p
          ref={saying}
          role="status"
          tabIndex={-1}
          className="min-w-0 flex-1 text-secondary-foreground text-sm outline-none"
        >
          {said}
        </p>
        <Button variant="outline" disabled={sessions.length < 2} aria-disabled={ending} onClick={endOthers}>
          End all others
        </Button>
      </footer>
    </>
  )
}

/** Whoever used the old factor may still be signed in. `changedAt` (ISO 8601): when the factor changed. */
export function OlderSessions({ changedAt, count }: { changedAt: string; count: number }) {
  const { ending, said, saying, endOthers } = useEnding()
  if (count === 0 && said === '') return null
  const [sessions, are] = count === 1 ? ['One older session', 'is'] : [`${count} older sessions`, 'are']
  return (
    <Panel title="Second factor changed" meaning={count === 0 ? 'neutral' : 'attention'}>
      <div className="flex flex-wrap items-center gap-3 px-3.5 py-3 text-sm">
        {count === 0 ? null : (
          <p>
            Changed <Timestamp value={changedAt} as="past" />. {sessions} of yours {are} still signed in.
          </p>
        )}
        <p ref={saying} role="status" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {said}
        </p>
        {count === 0 ? null : (
          <Button variant="outline" aria-disabled={ending} onClick={endOthers}>
            End all others
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** Null when the session has ended; 404 means that it had ended before. */
export async function endSessions(path: string, init: RequestInit): Promise<Problem | null> {
  const answer = await askConsole(path, { signal: answerInTime(), ...init })
  return answer?.status === 200 || answer?.status === 404 ? null : problemIn(answer)
}

export const notEndedWords = (problem: Problem): string => notDoneWords('it', 'ended', problem)
