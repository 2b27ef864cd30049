import { useEffect, useState } from 'react'
import { PageTitle } from '#components/frame/brand.tsx'

/** Next.js passes no error message to the browser, only a digest that is also in the log. */
export interface FaultProps {
  error: Error & { digest?: string }
}

const WORDS = {
  console: ['This page could not be shown', 'Something went wrong in the console.'],
  unreachable: ['The console cannot be reached', 'Check the connection.'],
  stopping: ['The console is restarting', 'Try again in a moment.'],
  store: ['The console cannot reach its database', 'Sessions and the journal are stored there.'],
} as const

async function readyState(): Promise<keyof typeof WORDS> {
  const response = await fetch('/api/ready')
  if (response.status !== 503) return 'console'
  return (await response.json()).status === 'stopping' ? 'stopping' : 'store'
}

export function Fault({ error }: FaultProps) {
  const [at, setAt] = useState<keyof typeof WORDS>('console')
  useEffect(() => {
    readyState().then(setAt, () => setAt('unreachable'))
  }, [])
  const [title, reason] = WORDS[at]
  const report = error.digest === undefined ? '' : ` If it persists, report ${error.digest}.`
  return (
    <div role="alert">
      <header className="mb-4.5 flex flex-wrap items-start gap-x-4 gap-y-2">
        <PageTitle>{title}</PageTitle>
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <h1 tabIndex={-1} className="break-words outline-none">
            {title}
          </h1>
          <p className="mt-0.5 max-w-prose text-secondary-foreground">
            {reason} A change that you just confirmed may have been made: check Activity before you repeat it.{report}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {/* Plain links load the page again; client navigation may be broken. */}
          <a href="/activity" className={BUTTON}>
            Open Activity
          </a>
          <button type="button" className={BUTTON} onClick={() => location.reload()}>
            Try again
          </button>
        </div>
      </header>
    </div>
  )
}

/** The look of the outline button, whose module every page would load a second time for this one. */
const BUTTON =
  'inline-flex min-h-8 items-center rounded-md border border-input bg-card px-3 font-[550] text-sm hover:bg-muted'
