'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, Suspense, useEffect, useState } from 'react'

/** A frame with the bar would delay a page that comes sooner. */
const SHOWN_AFTER_MS = 200

/** Then the bar disappears: the browser may be loading the page without the router. */
const SHOWN_AT_MOST_MS = 15_000

export function NavigationProgress() {
  const address = `${usePathname()}?${useSearchParams()}`
  const [leaving, setLeaving] = useState<string | null>(null)
  useEffect(() => {
    let showing: ReturnType<typeof setTimeout> | undefined
    const onClick = (event: MouseEvent) => {
      if (!opensOtherPage(event)) return
      clearTimeout(showing)
      showing = setTimeout(setLeaving, SHOWN_AFTER_MS, address)
    }
    // On the document: runs after the link's handler, which calls `preventDefault`.
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('click', onClick)
      clearTimeout(showing)
    }
  }, [address])
  useEffect(() => {
    if (leaving === null) return
    const timer = setTimeout(() => setLeaving(null), SHOWN_AT_MOST_MS)
    return () => clearTimeout(timer)
  }, [leaving])
  if (leaving !== address) return null
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50 h-0.5 bg-primary transition-opacity starting:opacity-0">
      <span className="sr-only">Reading the page</span>
    </div>
  )
}

/** Whether the router opens another page in this tab. */
function opensOtherPage({ target, defaultPrevented, button }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || !defaultPrevented || button !== 0 || link.target !== '') return false
  const { pathname, search } = window.location
  const to = new URL(link.href)
  return to.origin === window.location.origin && to.pathname + to.search !== pathname + search
}

interface ReadPlaceProps {
  /** Whether the content was ready before the server sent the page. */
  soon: boolean
  outline: ReactNode
  children: ReactNode
}

/**
 * Avoids Suspense for ready content, which React would send hidden and move with a script. The first decision stays.
 */
export function ReadPlace({ soon, outline, children }: ReadPlaceProps) {
  const [bare] = useState(soon)
  return bare ? children : <Suspense fallback={outline}>{children}</Suspense>
}
