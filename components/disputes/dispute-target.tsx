'use client'

import { createContext, type ReactNode } from 'react'

/** In hours. */
export const DisputeTargetContext = createContext(72)

/** A separate file, so that the frame does not load the code that shows ages. */
export function DisputeTarget({ hours, children }: { hours: number; children: ReactNode }) {
  return <DisputeTargetContext value={hours}>{children}</DisputeTargetContext>
}
