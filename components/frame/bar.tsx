import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Menu } from '#components/ui/icons.tsx'
import { ExplainedBadge } from '#components/values/explained-badge.tsx'
import { VerifiedBadge } from './verified-badge.tsx'
import { WhilePolling } from './while-polling.tsx'

interface BarProps {
  /** ISO 8601 end of the step-up grant. */
  verifiedUntil: string | null
  omnibox: ReactNode
  children: ReactNode
}

export function Bar({ verifiedUntil, omnibox, children }: BarProps) {
  return (
    <header className="flex min-h-(--bar-height) items-center gap-3 border-b px-3 sm:px-5">
      <Button variant="ghost" size="icon" popoverTarget="areas" aria-label="Areas" className="sm:hidden">
        <Menu aria-hidden />
      </Button>
      {omnibox}
      <div className="ml-auto flex min-w-0 items-center gap-2">
        <WhilePolling>
          <ExplainedBadge
            meaning="attention"
            icon={RefreshCw}
            word="Checking every 5 s"
            explanation="News do not come by themselves right now, so what this page shows is asked for every five seconds."
          />
        </WhilePolling>
        <VerifiedBadge initial={verifiedUntil} />
        {children}
      </div>
    </header>
  )
}
