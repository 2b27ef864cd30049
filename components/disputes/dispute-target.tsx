'use client'

import { createContext, type ReactNode } from 'react'

/** The hours within which a case should be decided. */
export const DisputeTargetContext = createContext(72)

/** A separate file, so that the frame, which is on every page, does not load the code that shows ages. */
export function DisputeTarget({ hours, children }: { hours: number; children: ReactNode }) {
  return <DisputeTargetContext value={hours}>{children}</DisputeTargetContext>
}
