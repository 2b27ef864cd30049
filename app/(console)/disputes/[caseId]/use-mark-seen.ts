'use client'

import { type RefObject, useEffect, useState } from 'react'
import { announceSeen } from '#components/disputes/use-thread-state.ts'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
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
  useEffect(() => (inView ? tellSeen(caseId, { id, createdAt }) : undefined), [inView, caseId, id, createdAt])
}

/** Sends the mark once, after the window has been visible for a moment. Returns the function that cancels it. */
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
