import { useEffect, useReducer, useRef, useState } from 'react'
import { type CaseParties, isAmong } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { whoOf } from './thread-message.tsx'

export interface News {
  /** Others' messages that arrived since the reader last left the end of the thread, or since the page was opened. */
  readonly since: ReadonlySet<string>
  /** How many of them are below the reader's position. */
  readonly missed: number
  readonly atEnd: boolean
}

type Event =
  /** The reader left the end of the thread or returned to it. */
  { readonly type: 'moved'; readonly atEnd: boolean } | { readonly type: 'came'; readonly ids: readonly string[] }

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
    const came = messages.filter(({ id, senderUserId }) => !before.has(id) && !isAmong(me, [senderUserId ?? '']))
    if (came.length === 0) return
    tell({ type: 'came', ids: came.map(({ id }) => id) })
    setSpoken(came.map((message) => `${whoOf(message, parties, me)}: ${message.body}`).join('. '))
  }, [messages, parties, me])
  return { firstNew: messages.find(({ id }) => since.has(id))?.id ?? null, missed, spoken }
}
