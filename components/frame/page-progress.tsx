'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'

/** Drawing it delays the page. */
const SHOWN_AFTER_MS = 200

/** Then the bar disappears: the browser may be loading the page without the router. */
const SHOWN_AT_MOST_MS = 15_000

export function NavigationProgress() {
  const address = `${usePathname()}?${useSearchParams()}`
  const bar = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation ends with its address.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // An update would restart the rendering of the next page.
    const setShown = (shown: boolean) => bar.current?.toggleAttribute('hidden', !shown)
    const show = () => {
      setShown(true)
      timer = setTimeout(setShown, SHOWN_AT_MOST_MS, false)
    }
    const onClick = (event: MouseEvent) => {
      if (!opensOtherPage(event)) return
      clearTimeout(timer)
      timer = setTimeout(show, SHOWN_AFTER_MS)
    }
    // On the document: runs after the link's handler, which calls `preventDefault`.
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('click', onClick)
      clearTimeout(timer)
      setShown(false)
    }
  }, [address])
  return (
    <div ref={bar} hidden role="status" className="fixed inset-x-0 top-0 z-50 h-0.5 bg-primary">
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

/** Without Suspense if the content is ready when sent (`soon`): React would send it hidden. The choice stays. */
export function ReadPlace({ soon, outline, children }: { soon: boolean; outline: ReactNode; children: ReactNode }) {
  const [bare] = useState(soon)
  return bare ? children : <Suspense fallback={outline}>{children}</Suspense>
}
