import type { ReactNode } from 'react'
import { CountedTitle } from './counted-title.tsx'

interface PageHeadProps {
  title: string
  /** What the browser calls the page, where the title itself names one thing: that is kept out of its history. */
  tab?: string
  lead: ReactNode
  action?: ReactNode
}

/** Title, one sentence, and the primary action at the right. */
export function PageHead({ title, tab = title, lead, action }: PageHeadProps) {
  return (
    <header className="mb-4.5 flex flex-wrap items-start gap-x-4 gap-y-2">
      <CountedTitle>{tab}</CountedTitle>
      <div className="min-w-0 flex-1">
        <h1 tabIndex={-1} className="break-words outline-none">
          {title}
        </h1>
        <p className="mt-0.5 max-w-prose text-secondary-foreground">{lead}</p>
      </div>
      {action}
    </header>
  )
}
