import type { ReactNode } from 'react'

/** Title, one sentence, and the primary action at the right. */
export function PageHead({ title, lead, action }: { title: ReactNode; lead: ReactNode; action?: ReactNode }) {
  return (
    <header className="mb-4.5 flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1">
        <h1 className="break-words">{title}</h1>
        <p className="mt-0.5 max-w-prose text-ink-2">{lead}</p>
      </div>
      {action}
    </header>
  )
}
