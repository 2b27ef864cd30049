import type { ReactNode } from 'react'
import { CountedTitle } from './assigned-cases.tsx'

interface PageHeadProps {
  title: string
  /** Document title for pages about one person or object: the browser history must not name it. */
  tab?: string
  lead: ReactNode
  action?: ReactNode
}

export const PageHead = ({ title, tab = title, lead, action }: PageHeadProps) => (
  <header className="mb-4.5 flex flex-wrap items-start gap-x-4 gap-y-2">
    <CountedTitle>{tab}</CountedTitle>
    <div className="min-w-0 flex-1 max-sm:basis-full">
      <h1 tabIndex={-1} className="break-words outline-none">
        {title}
      </h1>
      <p className="mt-0.5 max-w-prose text-secondary-foreground">{lead}</p>
    </div>
    {action}
  </header>
)

/** `to` is the id of a focusable element. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-primary focus:px-3 focus:py-2 focus:text-primary-foreground"
  >
    {children}
  </a>
)
