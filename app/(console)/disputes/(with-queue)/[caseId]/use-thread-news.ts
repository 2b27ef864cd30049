'use client'

import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { announceSeen } from '#components/disputes/case-marks.tsx'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { type CaseParties, isAmong } from '#lib/disputes/resolution.ts'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { senderOf } from './thread-message.tsx'
import { useCaseWorkspace } from './use-case-workspace.ts'

/** A shorter view does not count as reading. */
const SEEN_AFTER_MS = 800
/** Delay before a retry when the console did not accept the mark. */
const AGAIN_AFTER_MS = 5_000

interface Shown {
  readonly messages: readonly ThreadMessage[]
  readonly atEnd: boolean
  readonly box: RefObject<HTMLElement | null>
}

/** Marks the newest message as read when it is visible to an operator who may work on the case. */
export function useMarkSeen(caseId: string, { messages, atEnd, box }: Shown): void {
  const mayWork = useCaseWorkspace(caseId).workspace?.mayWork ?? false
  const shown = useShown(box)
  const { id = '', createdAt = '' } = messages.at(-1) ?? {}
  const inView = mayWork && atEnd && shown && id !== ''
  useEffect(() => (inView ? reportSeen(caseId, { id, createdAt }) : undefined), [inView, caseId, id, createdAt])
}

/** Sends the mark once, after the window has been visible for a moment. Returns the function that cancels it. */
export function reportSeen(caseId: string, message: Pick<ThreadMessage, 'id' | 'createdAt'>): () => void {
  let [over, telling] = [false, false]
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = (ms: number) => {
    clearTimeout(timer)
    if (!over && !telling && document.visibilityState === 'visible') timer = setTimeout(() => void tell(), ms)
  }
  const tell = async () => {
    telling = true
    const path = `/api/disputes/${encodeURIComponent(caseId)}/seen`
    const answer = await askConsole(path, { method: 'POST', ...asJson(message) })
    telling = false
    if (answer === null || answer.status >= 500) {
      plan(AGAIN_AFTER_MS)
      return
    }
    // A refusal is final: there is no retry.
    stop()
    if (answer.status !== 200) return
    announceSeen(caseId, orderKey(message))
  }
  const look = () => plan(SEEN_AFTER_MS)
  const stop = () => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
  document.addEventListener('visibilitychange', look)
  look()
  return stop
}

/** An element in a hidden tab of the case has no box and counts as not shown. */
function useShown(box: RefObject<HTMLElement | null>): boolean {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (box.current === null) return
    const observer = new IntersectionObserver(([entry]) => setShown(entry?.isIntersecting ?? false))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return shown
}

export interface News {
  /** Others' messages that arrived since the reader last left the end of the thread, or since the page was opened. */
  readonly since: ReadonlySet<string>
  /** How many of them are below the reader's position. */
  readonly missed: number
  readonly atEnd: boolean
}

type Event =
  /** The reader left the end of the thread or returned to it. */
  { readonly type: 'moved'; readonly atEnd: boolean } | { readonly type: 'arrived'; readonly ids: readonly string[] }

export const NO_NEWS: News = { since: new Set(), missed: 0, atEnd: true }

/** While the reader is away from the end, the "New" divider stays until another message arrives. */
export function nextNews(news: News, event: Event): News {
  if (event.type === 'moved') return { ...news, missed: 0, atEnd: event.atEnd }
  const startsOver = !news.atEnd && news.missed === 0
  return {
    ...news,
    since: new Set([...(startsOver ? [] : news.since), ...event.ids]),
    missed: news.atEnd ? 0 : news.missed + event.ids.length,
  }
}

interface ShownNews {
  /** The "New" divider is above this message. */
  readonly firstNew: string | null
  readonly missed: number
  /** The latest message, for screen readers. */
  readonly spoken: string
}

export function useNews(
  messages: readonly ThreadMessage[],
  parties: CaseParties,
  me: string | null,
  atEnd: boolean,
): ShownNews {
  const known = useRef<ReadonlySet<string> | null>(null)
  const [{ since, missed }, tell] = useReducer(nextNews, NO_NEWS)
  const [spoken, setSpoken] = useState('')
  useEffect(() => tell({ type: 'moved', atEnd }), [atEnd])
  useEffect(() => {
    const before = known.current
    known.current = new Set(messages.map(({ id }) => id))
    if (before === null) return
    const arrived = messages.filter(({ id, senderUserId }) => !before.has(id) && !isAmong(me, [senderUserId ?? '']))
    if (arrived.length === 0) return
    tell({ type: 'arrived', ids: arrived.map(({ id }) => id) })
    setSpoken(arrived.map((message) => `${senderOf(message, parties, me)}: ${message.body}`).join('. '))
  }, [messages, parties, me])
  return { firstNew: messages.find(({ id }) => since.has(id))?.id ?? null, missed, spoken }
}
