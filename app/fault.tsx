import { useEffect, useState } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'

/** Next.js passes no error message to the browser, only a digest that is also in the log. */
export interface FaultProps {
  error: Error & { digest?: string }
}

const WORDS = {
  console: ['This page could not be shown', 'Something went wrong in the console.'],
  unreachable: ['The console cannot be reached', 'Check the connection.'],
  store: ['The console cannot reach its database', 'Sessions and the journal are stored there.'],
} as const

export function Fault({ error }: FaultProps) {
  const [at, setAt] = useState<keyof typeof WORDS>('console')
  useEffect(() => {
    fetch('/api/ready')
      .then(({ status }) => setAt(status === 503 ? 'store' : 'console'))
      .catch(() => setAt('unreachable'))
  }, [])
  const [title, reason] = WORDS[at]
  const report = error.digest === undefined ? '' : ` If it persists, report ${error.digest}.`
  return (
    <div role="alert">
      <PageHead
        title={title}
        lead={`${reason} A change that you just confirmed may have been made: check Activity before you repeat it.${report}`}
        action={
          <div className="flex flex-wrap gap-2">
            {/* Plain links load the page again; client navigation may be broken. */}
            <a href="/activity" className={buttonVariants({ variant: 'outline' })}>
              Open Activity
            </a>
            <Button variant="outline" onClick={() => location.reload()}>
              Try again
            </Button>
          </div>
        }
      />
    </div>
  )
}
