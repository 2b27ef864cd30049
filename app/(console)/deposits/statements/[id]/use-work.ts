import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { pollInTurn } from '#components/service/poll-in-turn.ts'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { readWork } from '../statement-requests.ts'

const WHILE_WORKING_MS = 1_000
const WHILE_IDLE_MS = 5_000
/** The lines are read anew at most this often while work goes on. */
const REFRESH_MS = 3_000

/**
 * What goes on with a statement, asked for as long as the page is in sight; the lines are read anew when it moved.
 * `unsettled`: the page shows lines whose end is not known.
 */
export function useWork(id: string, shown: StatementWork, unsettled: boolean): StatementWork {
  const router = useRouter()
  const [work, setWork] = useState(shown)
  const [served, setServed] = useState(shown)
  if (served !== shown) {
    setServed(shown)
    setWork(shown)
  }
  const refreshedAt = useRef(0)
  const look = useEffectEvent(async () => {
    if (document.hidden) return
    const asked = await readWork(id)
    if (!asked.ok) return
    const now = asked.value.work
    const moved = JSON.stringify(now) !== JSON.stringify(served)
    setWork(now)
    const over = now.work === null && work.work !== null
    if ((moved || unsettled) && (over || Date.now() > refreshedAt.current + REFRESH_MS)) {
      refreshedAt.current = Date.now()
      router.refresh()
    }
  })
  const pace = work.work === null ? WHILE_IDLE_MS : WHILE_WORKING_MS
  useEffect(() => pollInTurn(() => look(), pace), [pace])
  return work
}
