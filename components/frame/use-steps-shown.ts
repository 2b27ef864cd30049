import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { askSession } from './session-requests.ts'

const SHOWN_WITHIN_MS = 3_000

/**
 * Reloads if a history step still shows the old page: Next waits forever for a refresh of a page that was left. Does
 * not reload while the console is unreachable.
 */
export function useStepsShown(): void {
  const pathname = usePathname()
  const shown = useRef(pathname)
  useEffect(() => {
    shown.current = pathname
  }, [pathname])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const isShown = () => shown.current === window.location.pathname
    const check = async () => {
      if (isShown() || (await askSession()) === null || isShown()) return
      window.location.reload()
    }
    const stepped = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void check(), SHOWN_WITHIN_MS)
    }
    window.addEventListener('popstate', stepped)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', stepped)
    }
  }, [])
}
