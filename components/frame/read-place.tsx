'use client'

import { type ReactNode, Suspense, useState } from 'react'

interface ReadPlaceProps {
  /** Whether the content was ready before the server sent the page. */
  soon: boolean
  outline: ReactNode
  children: ReactNode
}

/**
 * Avoids Suspense for ready content, which React would send hidden and move with a script. The first decision stays,
 * because changing it would remount the children.
 */
export function ReadPlace({ soon, outline, children }: ReadPlaceProps) {
  const [bare] = useState(soon)
  return bare ? children : <Suspense fallback={outline}>{children}</Suspense>
}
