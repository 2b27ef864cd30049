'use client'

import { lazy, Suspense } from 'react'

const NotifyChoice = lazy(() => import('./notify-choice.tsx').then((it) => ({ default: it.NotifyChoice })))

/** The choice of notifications. Few have a use for it, so that no other page loads it. */
export const Notifications = ({ chosen }: { chosen: boolean }) => (
  <Suspense>
    <NotifyChoice chosen={chosen} />
  </Suspense>
)
