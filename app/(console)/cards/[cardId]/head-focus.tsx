'use client'

import { useEffect, useState } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/** Gives the focus to the page's head when a look-up or a link led here: what had it before is gone. */
export function HeadFocus(): null {
  // A page that the browser itself has loaded begins where every page begins.
  const [ledHere] = useState(useHydrated())
  useEffect(() => {
    if (ledHere) document.querySelector<HTMLElement>('#main h1')?.focus()
  }, [ledHere])
  return null
}
