'use client'

import { type RefObject, useEffect, useState } from 'react'
import { announceSeen } from '#components/disputes/use-thread-state.ts'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'

/** Who only passes by has not looked. */
const SEEN_AFTER_MS = 800
/** The console did not take it. */
const AGAIN_AFTER_MS = 5_000

interface Shown {
  readonly messages: readonly ThreadMessage[]
  /** The reader is at the end of the thread. */
  readonly atEnd: boolean
  /** What the thread stands in. */
  readonly box: RefObject<HTMLElement | null>
}

/** Tells the console that the newest message of a case is in view, for who works on it, while the window can be seen. */
export function useMarkSeen(caseId: string, { messages, atEnd, box }: Shown): void {
  const mayWork = useCaseWorkspace(caseId).workspace?.mayWork ?? false
  const shown = useShown(box)
  const { id = '', createdAt = '' } = messages.at(-1) ?? {}
  const inView = mayWork && atEnd && shown && id !== ''
  useEffect(() => (inView ? tellSeen(caseId, { id, createdAt }) : undefined), [inView, caseId, id, createdAt])
}

/** Tells it once, as soon as the window has been seen for a moment. Answers how to call it off. */
export function tellSeen(caseId: string, message: Pick<ThreadMessage, 'id' | 'createdAt'>): () => void {
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
    // A refusal stays one.
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

/** Whether an element has a place on the page: another tab of the case may be shown in its stead. */
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
