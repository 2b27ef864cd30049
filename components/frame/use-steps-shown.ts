import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { askSession } from './session-requests.ts'

/** How long a page may take to give way after a step through the history. */
const SHOWN_WITHIN_MS = 3_000

/**
 * Loads the page of a step back or forward anew where the one before still stands under its address: Next waits for ever for
 * a refresh of a page that was left meanwhile. While the console does not answer, the step goes on waiting.
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
