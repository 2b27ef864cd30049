'use client'

import { type ReactNode, Suspense, useState } from 'react'

interface ReadPlaceProps {
  /** What stands in it was there before the page was sent. */
  soon: boolean
  outline: ReactNode
  children: ReactNode
}

/**
 * What a page read, or its outline until it has come. What was there at once stands behind no boundary: React would send it
 * after the page, hidden, for a script to put in its place. Once shown, the place stays as it began.
 */
export function ReadPlace({ soon, outline, children }: ReadPlaceProps) {
  const [bare] = useState(soon)
  return bare ? children : <Suspense fallback={outline}>{children}</Suspense>
}
