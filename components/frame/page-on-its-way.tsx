'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'

/** Then the bar disappears: the browser may be loading the page without the router. */
const WAITS_AT_MOST_MS = 15_000

export function PageOnItsWay() {
  const address = `${usePathname()}?${useSearchParams()}`
  const [leaving, setLeaving] = useState<string | null>(null)
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (leadsAway(event)) setLeaving(address)
    }
    // On the document: runs after the link's handler, which calls `preventDefault`.
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [address])
  useEffect(() => {
    if (leaving === null) return
    const timer = setTimeout(() => setLeaving(null), WAITS_AT_MOST_MS)
    return () => clearTimeout(timer)
  }, [leaving])
  if (leaving !== address) return null
  return (
    <div
      role="status"
      className="fixed inset-x-0 top-0 z-50 h-0.5 bg-primary transition-opacity delay-75 starting:opacity-0"
    >
      <span className="sr-only">Reading the page</span>
    </div>
  )
}

/** Whether the router opens another page in this tab. */
function leadsAway({ target, defaultPrevented, button }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || !defaultPrevented || button !== 0 || link.target !== '') return false
  const { pathname, search } = window.location
  const to = new URL(link.href)
  return to.origin === window.location.origin && to.pathname + to.search !== pathname + search
}
