'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { Button } from '#components/ui/button.tsx'
import { CircleUser, LogOut } from '#components/ui/icons.tsx'
import type { TimeFirst } from '#lib/values/time.ts'
import { saveChoice, signOut, type Theme } from './account-acts.ts'

interface AccountMenuProps {
  name: string
  roles: ReactNode
  theme: Theme
  timeFirst: TimeFirst
  /** Null for operators who get no notifications. */
  notifications: ReactNode
}

export function AccountMenu({ name, roles, theme, timeFirst, notifications }: AccountMenuProps) {
  const router = useRouter()
  const [fault, setFault] = useState<string | null>(null)

  const choose = async (change: { theme?: Theme; timeFirst?: TimeFirst }) => {
    const { fault: why, sessionOver } = await saveChoice(change)
    setFault(why)
    if (!sessionOver) router.refresh()
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
        <Button variant="outline" className="w-full" onClick={() => void signOut().then(setFault)}>
          <LogOut aria-hidden />
          Sign out
        </Button>
      </div>
    </>
  )
}
