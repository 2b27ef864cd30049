'use client'

import { type ReactNode, Suspense, useState } from 'react'
import { Choice } from '#components/form/choice.tsx'
import { asJson, askConsole, problemIn, saveChoice } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { CircleUser, LogOut } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { HANDLE_REPLACED } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import type { TimeFirst } from '#lib/values/time.ts'
import { mayDropText, releaseUnloadGuards } from './leave-guard.ts'

interface AccountMenuProps {
  name: string
  roles: ReactNode
  theme: Theme
  timeFirst: TimeFirst
  /** Null for operators who get no notifications. */
  notifications: ReactNode
}

export function AccountMenu({ name, roles, theme, timeFirst, notifications }: AccountMenuProps) {
  const refresh = useAutomaticRefresh()
  const [fault, setFault] = useState<string | null>(null)
  const [wasOpened, setWasOpened] = useState(false)
  const choose = async (change: { theme?: Theme; timeFirst?: TimeFirst }) => {
    const { fault: why, canRefresh } = await saveChoice(change)
    setFault(why)
    if (canRefresh) refresh()
  }
  return (
    <>
      <Button variant="ghost" popoverTarget="account" className="min-w-0" aria-label={`Account: ${visibleText(name)}`}>
        <CircleUser aria-hidden />
        <span className="hidden min-w-0 truncate sm:block">{visibleText(name)}</span>
      </Button>
      <div
        id="account"
        popover="auto"
        onBeforeToggle={() => setWasOpened(true)}
        className="fixed inset-auto top-13 right-3 m-0 w-72 rounded-lg border bg-card p-4 text-foreground shadow-[var(--lift)]"
      >
        <p className="break-words font-semibold">{visibleText(name)}</p>
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
          legend="Time zone shown first"
          name="timeFirst"
          value={timeFirst}
          options={[
            ['local', 'Local'],
            ['utc', 'UTC'],
          ]}
          onChoose={(value) => void choose({ timeFirst: value })}
        />
        {wasOpened ? notifications : null}
        <FormError fault={fault} className="mb-3" />
        <Button variant="outline" className="w-full" onClick={() => void signOut().then(setFault)}>
          <LogOut aria-hidden />
          Sign out
        </Button>
      </div>
    </>
  )
}

export type Theme = 'system' | 'light' | 'dark'

/** Navigates away on success; otherwise returns the reason to show. */
export async function signOut(): Promise<string | null> {
  if (!mayDropText()) return null
  const ended = await askConsole('/api/session/sign-out', { method: 'POST', ...asJson({}) })
  const problem = problemIn(ended)
  const isReplaced = problem.code === HANDLE_REPLACED
  if (isReplaced || (ended?.status !== 200 && ended?.status !== 401))
    return `Sign-out did not go through. ${isReplaced ? 'Sign in again' : problemWords(problem).title}.`
  releaseUnloadGuards()
  window.location.assign(ended?.status === 200 ? (ended.body as { to: string }).to : '/signed-out')
  return null
}

const NotifyChoice = onDemand(() => import('./notify-choice.tsx').then((it) => it.NotifyChoice))

export const Notifications = (choice: { chosen: boolean; approvals: boolean }) => (
  <Suspense fallback={<div className="mb-3 h-17" />}>
    <NotifyChoice {...choice} />
  </Suspense>
)
