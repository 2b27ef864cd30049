'use client'

import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { announceSeen, forgetSeen, useSeenInTab } from '#components/disputes/case-marks.tsx'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { onSessionBack } from '#components/service/session-events.ts'
import { type CaseParties, isAmong } from '#lib/disputes/resolution.ts'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { CaseNote } from '#lib/disputes/workspace/workspace.ts'
import { visibleText } from '#lib/values/text.ts'
import { senderOf } from './thread-message.tsx'
import { useCaseWorkspace } from './use-case-workspace.ts'

/** A shorter view does not count as reading. */
const SEEN_AFTER_MS = 800
/** Delay before a retry when the console did not accept the mark. */
const AGAIN_AFTER_MS = 5_000

interface SeenOptions {
  readonly caseId: string
  readonly passed: ThreadMessage | null
  /** Messages up to this sort key stay unread. */
  readonly unreadUpTo: string
}

export function useMarkSeen({ caseId, passed, unreadUpTo }: SeenOptions, box: RefObject<HTMLElement | null>): void {
  const mayWork = useCaseWorkspace(caseId).workspace?.mayWork ?? false
  const shown = useShown(box)
  const { id = '', createdAt = '' } = passed ?? {}
  const inView = mayWork && shown && passed !== null && orderKey(passed) > unreadUpTo
  useEffect(() => (inView ? reportSeen(caseId, { id, createdAt }) : undefined), [inView, caseId, id, createdAt])
}

/** The last message whose end was in view; null until there is one. */
export function useLastPassed(
  box: RefObject<HTMLElement | null>,
  messages: readonly ThreadMessage[],
): ThreadMessage | null {
  const [passed, setPassed] = useState<ThreadMessage | null>(null)
  useEffect(() => {
    const around = box.current
    if (around === null) return
    const look = () => {
      if (around.clientHeight === 0) return
      const end = around.getBoundingClientRect().bottom + 1
      const rows = [...around.querySelectorAll<HTMLElement>('[data-message]')]
      // The item has a size while its content is not rendered.
      const row = rows.findLast((one) => (one.closest('li') ?? one).getBoundingClientRect().bottom <= end)
      const message = messages.findLast(({ id }) => id === row?.dataset.message)
      if (message === undefined) return
      setPassed((before) => (before !== null && orderKey(before) >= orderKey(message) ? before : message))
    }
    const observer = new ResizeObserver(look)
    for (const element of [around, ...around.children]) observer.observe(element)
    around.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      around.removeEventListener('scroll', look)
    }
  }, [box, messages])
  return passed
}

let lastReport: Promise<unknown> = Promise.resolve()

export const reportSeen = (caseId: string, message: Pick<ThreadMessage, 'id' | 'createdAt'>): (() => void) =>
  reportInView(caseId, message, () => announceSeen(caseId, orderKey(message)))

/** Marks the notes up to the last whose end was in view as seen, where that matters. */
export function useMarkNotesSeen(caseId: string, box: RefObject<HTMLElement | null>, notes: readonly CaseNote[]): void {
  const { workspace } = useCaseWorkspace(caseId)
  const [passed, setPassed] = useState('')
  useEffect(() => {
    const places = new Map(notes.map(({ id }, at) => [id, at]))
    const placeOf = (id: string) => places.get(id) ?? -1
    const observer = new IntersectionObserver((entries) => {
      const seen = entries.flatMap(({ isIntersecting, target }) =>
        isIntersecting && target instanceof HTMLElement ? (target.dataset.noteEnd ?? []) : [],
      )
      setPassed((before) => seen.reduce((one, other) => (placeOf(one) < placeOf(other) ? other : one), before))
    })
    for (const end of box.current?.querySelectorAll('[data-note-end]') ?? []) observer.observe(end)
    return () => observer.disconnect()
  }, [box, notes])
  const matters = (workspace?.watch?.notes ?? 0) > 0 || notes.some(({ isForMe }) => isForMe)
  const due = workspace?.mayWork === true && passed !== '' && matters
  useEffect(() => (due ? reportInView(caseId, { note: passed }) : undefined), [due, caseId, passed])
}

export function useMarkChangesSeen(caseId: string): void {
  const { workspace } = useCaseWorkspace(caseId)
  const watches = workspace !== null && workspace.watch !== null && workspace.mayWork
  const [holder, open] = [workspace?.claim?.holder ?? '', workspace?.open ?? true]
  useEffect(() => (watches ? reportInView(caseId, { holder, open }) : undefined), [watches, caseId, holder, open])
}

/** Sends the mark once, after the window has been visible for a moment. Returns the function that cancels it. */
function reportInView(caseId: string, seen: object, onSaved = () => {}): () => void {
  let [over, telling] = [false, false]
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = (ms: number) => {
    clearTimeout(timer)
    if (!over && !telling && document.visibilityState === 'visible') timer = setTimeout(() => void tell(), ms)
  }
  const tell = async () => {
    telling = true
    const request = askConsole(seenPath(caseId), { method: 'POST', ...asJson(seen) })
    lastReport = request
    const answer = await request
    telling = false
    if (answer === null || answer.status >= 500 || answer.status === 429) return plan(AGAIN_AFTER_MS)
    if (answer.status !== 401) stop()
    if (answer.status === 200) onSaved()
  }
  const look = () => plan(SEEN_AFTER_MS)
  const stop = () => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    stopBack()
  }
  document.addEventListener('visibilitychange', look)
  const stopBack = onSessionBack(look)
  look()
  return stop
}

const seenPath = (caseId: string): string => `/api/disputes/${encodeURIComponent(caseId)}/seen`

export interface MarkUnread {
  /** The sort key of the latest message when the thread was marked; empty if it was not. */
  readonly upTo: string
  readonly words: string
  readonly run: (() => void) | null
}

/** Marks the latest message of others as unread until the case is opened again or a later one is passed. */
export function useMarkUnread(caseId: string, messages: readonly ThreadMessage[], me: string | null): MarkUnread {
  const [{ upTo, words }, setMark] = useState({ upTo: '', words: '' })
  const isSeenSince = useSeenInTab(caseId) > upTo
  const latest = messages.findLast((message) => isByOthers(message, me))
  const last = messages.at(-1)
  const shown = { upTo, words: isSeenSince ? '' : words }
  if (latest === undefined || last === undefined) return { ...shown, run: null }
  const run = async () => {
    const marked = orderKey(last)
    setMark({ upTo: marked, words: '' })
    const { id, createdAt } = latest
    await lastReport
    const answer = await askConsole(seenPath(caseId), { method: 'DELETE', ...asJson({ id, createdAt }) })
    if (answer?.status === 200) forgetSeen(caseId)
    setMark({ upTo: marked, words: unreadWords(answer?.status ?? null) })
  }
  return { ...shown, run: () => void run() }
}

function unreadWords(status: number | null): string {
  if (status === 200) return 'Marked unread.'
  return status === null || status >= 500
    ? 'The console did not answer. The case may not be marked unread: try again.'
    : 'The case was not marked unread.'
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

/** What the operator has seen of the thread; null where the console keeps no marks for them. */
export interface SeenThread {
  /** The sort key of the last message that they have seen; null if this is the first time. */
  readonly upTo: string | null
}

/** Where the thread is opened: at the first unread message, or the first time at its top. */
export type Opening = { readonly at: 'top' | 'end' } | { readonly at: 'unread'; readonly id: string }

export const isByOthers = ({ senderUserId, isSystemMessage }: ThreadMessage, me: string | null): boolean =>
  senderUserId !== null && !isSystemMessage && !isAmong(me, [senderUserId])

export function openingOf(messages: readonly ThreadMessage[], me: string | null, seen: SeenThread | null): Opening {
  if (seen === null) return { at: 'end' }
  const { upTo } = seen
  if (upTo === null) return { at: 'top' }
  const first = messages.find((message) => isByOthers(message, me) && orderKey(message) > upTo)
  return first === undefined ? { at: 'end' } : { at: 'unread', id: first.id }
}

/** Unread messages after the last that was passed. */
export const countAhead = (
  messages: readonly ThreadMessage[],
  me: string | null,
  { upTo, passed }: SeenThread & { readonly passed: ThreadMessage | null },
): number => {
  const last = passed === null ? '' : orderKey(passed)
  const after = upTo === null || last > upTo ? last : upTo
  return messages.filter((message) => isByOthers(message, me) && orderKey(message) > after).length
}

/** Own messages since the reader was last at the end. */
export function useSentBelow(messages: readonly ThreadMessage[], me: string | null, atEnd: boolean): number {
  const own = messages.filter(({ senderUserId }) => senderUserId !== null && isAmong(me, [senderUserId])).length
  const [seen, setSeen] = useState(own)
  if (atEnd && seen !== own) setSeen(own)
  return Math.max(0, own - seen)
}

export interface Unseen {
  /** Others' messages that arrived since the reader last left the end of the thread, or since the page was opened. */
  readonly since: ReadonlySet<string>
  /** How many of them are below the reader's position. */
  readonly missed: number
  readonly atEnd: boolean
}

type Event =
  /** The reader left the end of the thread or returned to it. */
  { readonly type: 'moved'; readonly atEnd: boolean } | { readonly type: 'arrived'; readonly ids: readonly string[] }

export const NOTHING_UNSEEN: Unseen = { since: new Set(), missed: 0, atEnd: true }

/** While the reader is away from the end, the "New" divider stays until another message arrives. */
export function nextUnseen(unseen: Unseen, event: Event): Unseen {
  if (event.type === 'moved') return { ...unseen, missed: 0, atEnd: event.atEnd }
  const startsOver = !unseen.atEnd && unseen.missed === 0
  return {
    ...unseen,
    since: new Set([...(startsOver ? [] : unseen.since), ...event.ids]),
    missed: unseen.atEnd ? 0 : unseen.missed + event.ids.length,
  }
}

interface UnseenMessages {
  /** The "New" divider is above this message. */
  readonly firstNew: string | null
  readonly missed: number
  readonly spoken: { readonly id: string; readonly words: string }
}

export function useUnseen(
  messages: readonly ThreadMessage[],
  parties: CaseParties,
  me: string | null,
  atEnd: boolean,
): UnseenMessages {
  const known = useRef<ReadonlySet<string> | null>(null)
  const [{ since, missed }, tell] = useReducer(nextUnseen, NOTHING_UNSEEN)
  const [spoken, setSpoken] = useState({ id: '', words: '' })
  useEffect(() => tell({ type: 'moved', atEnd }), [atEnd])
  useEffect(() => {
    const before = known.current
    known.current = new Set(messages.map(({ id }) => id))
    if (before === null) return
    const arrived = messages.filter(({ id, senderUserId }) => !before.has(id) && !isAmong(me, [senderUserId ?? '']))
    if (arrived.length === 0) return
    tell({ type: 'arrived', ids: arrived.map(({ id }) => id) })
    const words = arrived.map((message) => `${senderOf(message, parties, me)}: ${visibleText(message.body)}`).join('. ')
    setSpoken({ id: arrived.at(-1)?.id ?? '', words })
  }, [messages, parties, me])
  return { firstNew: messages.find(({ id }) => since.has(id))?.id ?? null, missed, spoken }
}
