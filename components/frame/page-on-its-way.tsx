'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'

/** A link whose page has not come for so long is not waited for any more: the browser itself may be loading it. */
const WAITS_AT_MOST_MS = 15_000

/** A bar above the page, from a click on a link to the moment when its page is there. Nothing for a page that comes at once. */
export function PageOnItsWay() {
  const address = `${usePathname()}?${useSearchParams()}`
  const [leaving, setLeaving] = useState<string | null>(null)
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (leadsAway(event)) setLeaving(address)
    }
    // After the links themselves, which prevent the browser's own way.
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

/** Whether a click opens another page in the place of this one. */
function leadsAway({ target, defaultPrevented, button }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || !defaultPrevented || button !== 0 || link.target !== '') return false
  const { pathname, search } = window.location
  const to = new URL(link.href)
  return to.origin === window.location.origin && to.pathname + to.search !== pathname + search
}
