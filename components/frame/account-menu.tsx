'use client'

import { CircleUser, LogOut } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { problemWords } from '#lib/service/problem-words.ts'
import type { TimeFirst } from '#lib/values/time.ts'

type Theme = 'system' | 'light' | 'dark'

interface AccountMenuProps {
  name: string
  /** In words. */
  roles: ReactNode
  theme: Theme
  timeFirst: TimeFirst
  /** The choice of notifications, for who has a use for it. */
  notifications: ReactNode
}

const post = (path: string, body: unknown) => askConsole(path, { method: 'POST', ...asJson(body) })

/** Who is signed in, what they chose for themselves, and the way out. */
export function AccountMenu({ name, roles, theme, timeFirst, notifications }: AccountMenuProps) {
  const router = useRouter()
  const [fault, setFault] = useState<string | null>(null)

  const choose = async (change: { theme?: Theme; timeFirst?: TimeFirst }) => {
    const saved = await post('/api/session/preferences', change)
    setFault(saved?.status === 200 ? null : `The choice was not saved. ${problemWords(problemIn(saved)).title}.`)
    // Without a session it would leave for sign-in, and the page is to stay.
    if (saved?.status !== 401) router.refresh()
  }
  const signOut = async () => {
    const ended = await post('/api/session/sign-out', {})
    if (ended?.status === 200) window.location.assign((ended.body as { to: string }).to)
    // A session that is over already is signed out as well.
    else if (ended?.status === 401) window.location.assign('/signed-out')
    else setFault(`Sign-out did not go through. ${problemWords(problemIn(ended)).title}.`)
  }
  return (
    <>
      <Button variant="ghost" popoverTarget="account" className="min-w-0" aria-label={`Account: ${name}`}>
        <CircleUser aria-hidden />
        <span className="hidden min-w-0 truncate sm:block">{name}</span>
      </Button>
      <div
        id="account"
        popover="auto"
        className="fixed inset-auto top-13 right-3 m-0 w-72 rounded-lg border bg-card p-4 text-foreground shadow-[var(--lift)]"
      >
        <p className="break-words font-semibold">{name}</p>
        <p className="mb-3 text-muted-foreground text-xs">{roles}</p>
        <Choice<Theme>
          legend="Theme"
          name="theme"
          value={theme}
          options={[
            ['system', 'System'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChoose={(value) => void choose({ theme: value })}
        />
        <Choice<TimeFirst>
          legend="Time that comes first"
          name="timeFirst"
          value={timeFirst}
          options={[
            ['local', 'Local'],
            ['utc', 'UTC'],
          ]}
          onChoose={(value) => void choose({ timeFirst: value })}
        />
        {notifications}
        {fault === null ? null : (
          <p role="alert" className="mb-3 text-danger text-sm">
            {fault}
          </p>
        )}
        <Button variant="outline" className="w-full" onClick={() => void signOut()}>
          <LogOut aria-hidden />
          Sign out
        </Button>
      </div>
    </>
  )
}
