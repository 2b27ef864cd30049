'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { subscribe } from '#components/stream/subscribe.ts'
import type { WaitingState } from '#lib/commands/command.ts'
import { isUnloadGuarded } from './leave-guard.ts'

/** Set in the browser only: on the server, operators would share it. */
let latest: WaitingState = { toDecide: [], approved: [], notApproved: [], attention: 0 }
const listeners = new Set<() => void>()

function announceWaiting(news: WaitingState): void {
  latest = news
  for (const listen of listeners) listen()
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

const nothing: WaitingState = latest

const useWaiting = (): WaitingState =>
  useSyncExternalStore(
    listen,
    () => latest,
    () => nothing,
  )

export function WaitingWatch({ notify }: { notify: boolean }) {
  const router = useRouter()
  const known = useRef<WaitingState | null>(null)
  const open = useEffectEvent((path: string) => {
    window.focus()
    if (window.location.pathname === path) return
    // Navigating would lose unsaved text.
    if (isUnloadGuarded()) window.open(path)
    else router.push(path)
  })
  const take = useEffectEvent((news: WaitingState) => {
    announceWaiting(news)
    const before = known.current
    known.current = news
    if (before === null || !notify) return
    for (const { of, title, area } of notices) {
      for (const id of news[of].filter((one) => !before[of].includes(one)))
        notifyApproval(title, id, () => open(`/${area}/${id}`))
    }
  })
  useEffect(
    () =>
      subscribe<WaitingState>(
        'waiting',
        (result) => {
          if (result.ok) take(result.value)
        },
        { whenHidden: true },
      ),
    [],
  )
  return null
}

const notices = [
  { of: 'toDecide', title: 'A change waits for your decision', area: 'approvals' },
  { of: 'approved', title: 'A change of yours is approved', area: 'activity' },
  { of: 'notApproved', title: 'A change of yours was not approved', area: 'activity' },
] as const

/** Does not name the change: other people may see the screen. The tag prevents duplicates from other tabs. */
function notifyApproval(title: string, id: string, onOpen: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { tag: `console-approval ${title} ${id}` })
    notification.onclick = () => {
      notification.close()
      onOpen()
    }
  } catch {
    // Mobile browsers define `Notification`, but its constructor throws.
  }
}

export function WaitingCount() {
  const { toDecide, approved, attention } = useWaiting()
  const own = toDecide.length + approved.length
  const count = own + attention
  if (count === 0) return null
  const words = [
    ...(own === 0 ? [] : [`${counted(own, 'waits', 'wait')} for your decision, or for you to send`]),
    ...(attention === 0 ? [] : [`${counted(attention, 'needs', 'need')} attention`]),
  ]
  return (
    <span
      title={words.join('; ')}
      className="own-unread figures inline-flex items-center rounded-full bg-attention-wash px-1.5 font-[550] text-attention text-xs"
    >
      {count.toLocaleString('en-US')}
      <span className="rail-word">&nbsp;waiting</span>
    </span>
  )
}

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? `change ${one}` : `changes ${many}`}`
