import type { ReactNode } from 'react'
import { CountedTitle } from './counted-title.tsx'

interface PageHeadProps {
  title: string
  /** Document title for pages about one person or object: the browser history must not name it. */
  tab?: string
  lead: ReactNode
  action?: ReactNode
}

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
