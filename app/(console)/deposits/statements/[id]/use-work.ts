import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { followTopic } from '#components/news/news.ts'
import type { StatementNews, StatementWork } from '#lib/statements/statement-view.ts'

/** The shortest time between two page refreshes. */
const REFRESH_MS = 3_000

/** Follows the work on a statement while the page is visible, and refreshes the lines when it progresses. */
export function useWork(id: string, shown: StatementNews): StatementWork {
  const router = useRouter()
  const [work, setWork] = useState(shown.work)
  const served = JSON.stringify(shown)
  const [last, setLast] = useState(served)
  if (last !== served) {
    setLast(served)
    setWork(shown.work)
  }
  const refreshedAt = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const refresh = () => {
    timer.current = undefined
    refreshedAt.current = Date.now()
    router.refresh()
  }
  const take = useEffectEvent((now: StatementNews) => {
    setWork(now.work)
    if (JSON.stringify(now) === served) return
    const over = now.work.work === null && work.work !== null
    clearTimeout(timer.current)
    timer.current = setTimeout(refresh, over ? 0 : Math.max(0, refreshedAt.current + REFRESH_MS - Date.now()))
  })
  useEffect(() => {
    const stop = followTopic<StatementNews>(`statement ${id}`, (told) => (told.ok ? take(told.value) : undefined))
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [id])
  return work
}
