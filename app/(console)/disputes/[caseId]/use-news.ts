import { useEffect, useReducer, useRef, useState } from 'react'
import type { CaseParties } from '#lib/disputes/case-role.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { whoOf } from './thread-message.tsx'

export interface News {
  /** Others' messages that came since the reader last left the end of the thread; before that, since the page was opened. */
  readonly since: ReadonlySet<string>
  /** How many of them the reader, who is not at the end, has below. */
  readonly missed: number
  readonly atEnd: boolean
}

type Event =
  /** The reader has left the end, or is back. */
  { readonly type: 'moved'; readonly atEnd: boolean } | { readonly type: 'came'; readonly ids: readonly string[] }

export const NO_NEWS: News = { since: new Set(), missed: 0, atEnd: true }

/** What is new after an event. Away from the end, the mark of what is new stays until another message comes. */
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
  /** The message before which the mark of what is new stands. */
  readonly firstNew: string | null
  readonly missed: number
  /** What came last, for screen readers. */
  readonly spoken: string
}

/** What others wrote in a thread since the page was opened. */
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
