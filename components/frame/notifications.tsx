'use client'

import { Suspense } from 'react'
import { onDemand } from '#components/ui/on-demand.tsx'

const NotifyChoice = onDemand(() => import('./notify-choice.tsx').then((it) => it.NotifyChoice))

export const Notifications = (choice: { chosen: boolean; approvals: boolean }) => (
  <Suspense>
    <NotifyChoice {...choice} />
  </Suspense>
)
