'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { followTopic } from '#components/news/news.ts'
import type { WaitingNews } from '#lib/commands/approvals/approval.ts'
import { isHeld } from './leave-guard.ts'

/** Filled in the browser only: the server renders for everyone. */
let latest: WaitingNews = { toDecide: [], approved: [], notApproved: [], attention: 0 }
const listeners = new Set<() => void>()

function announceWaiting(news: WaitingNews): void {
  latest = news
  for (const listen of listeners) listen()
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => void listeners.delete(onChange)
}

const nothing: WaitingNews = latest

const useWaiting = (): WaitingNews =>
  useSyncExternalStore(
    listen,
    () => latest,
    () => nothing,
  )

/** Keeps the count in the rail current, and tells of what is new by a notification of the desktop, where that is wanted. */
export function WaitingWatch({ notify }: { notify: boolean }) {
  const router = useRouter()
  const known = useRef<WaitingNews | null>(null)
  const open = useEffectEvent((path: string) => {
    window.focus()
    if (window.location.pathname === path) return
    // What stands on the page and is not kept would be lost: it is opened beside it.
    if (isHeld()) window.open(path)
    else router.push(path)
  })
  const take = useEffectEvent((news: WaitingNews) => {
    announceWaiting(news)
    const before = known.current
    known.current = news
    if (before === null || !notify) return
    for (const { of, title, area } of notices) {
      for (const id of news[of].filter((one) => !before[of].includes(one)))
        tell(title, id, () => open(`/${area}/${id}`))
    }
  })
  useEffect(
    () =>
      followTopic<WaitingNews>(
        'waiting',
        (told) => {
          if (told.ok) take(told.value)
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

/** Says nothing of what it is about: others may see the screen. One of several tabs is told by its name. */
function tell(title: string, id: string, onOpen: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { tag: `console-approval ${title} ${id}` })
    notification.onclick = () => {
      notification.close()
      onOpen()
    }
  } catch {
    // A browser of a phone has the name and makes none: the rail and Home tell as well.
  }
}

/** Beside the word of Home, or above its icon where that is alone. */
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
