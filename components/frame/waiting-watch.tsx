'use client'

import { useRouter } from 'next/navigation'
import { useRef, useSyncExternalStore } from 'react'
import { listeners } from '#components/ui/hydrated.tsx'
import type { WaitingState } from '#lib/commands/command.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { isUnloadGuarded } from './leave-guard.ts'
import { useTopic } from './live-dot.tsx'

/** Set in the browser only. */
let latest: WaitingState = { toDecide: [], overdue: [], approved: [], endedUnsent: [], attention: 0 }
const { listen, tell } = listeners()

const nothing: WaitingState = latest

/** Not called for the first state, which the page knows already. */
export function onWaitingChange(act: () => void): () => void {
  let before = latest
  return listen(() => {
    if (before !== nothing && JSON.stringify(latest) !== JSON.stringify(before)) act()
    before = latest
  })
}

export const useWaiting = (): WaitingState =>
  useSyncExternalStore(
    listen,
    () => latest,
    () => nothing,
  )

export function WaitingWatch({ notify }: { notify: boolean }) {
  const router = useRouter()
  const announced = useRef<ReadonlySet<string> | null>(null)
  const take = (waiting: WaitingState) => {
    latest = waiting
    tell()
    const before = announced.current
    const all = notices.flatMap(({ of, ...notice }) => waiting[of].map((id) => ({ ...notice, id, key: `${of} ${id}` })))
    announced.current = new Set([...(before ?? []), ...all.map(({ key }) => key)])
    if (before === null || !notify) return
    for (const { title, area, id } of all.filter(({ key }) => !before.has(key))) {
      // Does not name the change: other people may see the screen. The tag prevents duplicates from other tabs.
      showNotification(title, { tag: `console-approval ${title} ${id}` }, () => openPage(router, `/${area}/${id}`))
    }
  }
  useTopic('waiting', take, { whenHidden: true })
  return null
}

const notices = [
  { of: 'toDecide', title: 'A change waits for your decision', area: 'approvals' },
  { of: 'overdue', title: 'A change still waits for your decision', area: 'approvals' },
  { of: 'approved', title: 'A change of yours is approved', area: 'activity' },
  { of: 'endedUnsent', title: 'A request of yours has ended', area: 'activity' },
] as const

export function openPage(router: ReturnType<typeof useRouter>, path: string): void {
  window.focus()
  if (window.location.pathname === path) return
  // Navigating would lose unsaved text.
  if (isUnloadGuarded()) window.open(path)
  else router.push(path)
}

export function showNotification(title: string, options: NotificationOptions, onOpen: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      notification.close()
      onOpen()
    }
  } catch {
    // Mobile browsers define `Notification`, but its constructor throws.
  }
}

export function WaitingCount() {
  const { toDecide } = useWaiting()
  const title = `${counted(toDecide.length, 'change waits', 'changes wait')} for your decision`
  return <RailCount count={toDecide.length} title={title} word="waiting" />
}

/** Decisions are counted at Approvals, so that each change is in one count. */
export function OwnChangesCount() {
  const { approved, attention } = useWaiting()
  const parts = [
    ...(approved.length === 0
      ? []
      : [`${counted(approved.length, 'change is', 'changes are')} approved, for you to send`]),
    ...(attention === 0 ? [] : [`${counted(attention, 'change needs', 'changes need')} attention`]),
  ]
  return <RailCount count={approved.length + attention} title={parts.join('; ')} word="to do" />
}

function RailCount({ count, title, word }: { count: number; title: string; word: string }) {
  if (count === 0) return null
  return (
    <span
      title={title}
      className="own-unread figures inline-flex items-center rounded-full bg-attention-wash px-1.5 font-[550] text-attention text-xs"
    >
      {formatCount(count)}
      <span className="rail-word">&nbsp;{word}</span>
    </span>
  )
}
