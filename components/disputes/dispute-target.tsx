'use client'

import { createContext, type ReactNode } from 'react'

/** Within how many hours a case is to be decided. */
export const DisputeTargetContext = createContext(72)

/** For every age below. The frame has it on every page, so that it knows nothing of how an age is shown. */
export function DisputeTarget({ hours, children }: { hours: number; children: ReactNode }) {
  return <DisputeTargetContext value={hours}>{children}</DisputeTargetContext>
}
