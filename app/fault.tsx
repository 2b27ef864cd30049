import { useEffect, useState } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Button, buttonVariants } from '#components/ui/button.tsx'

/** What Next hands to a page of faults: a digest under which the log has the details, and no words of the server. */
export interface FaultProps {
  error: Error & { digest?: string }
}

const WORDS = {
  console: ['This page could not be shown', 'Something in the console went wrong.'],
  unreachable: ['The console cannot be reached', 'Check the connection.'],
  store: ['The console cannot reach its own store', 'It keeps sessions and its journal there.'],
} as const

/** A fault of the console itself; says so when its store is the reason. */
export function Fault({ error }: FaultProps) {
  const [at, setAt] = useState<keyof typeof WORDS>('console')
  useEffect(() => {
    fetch('/api/ready')
      .then(({ status }) => setAt(status === 503 ? 'store' : 'console'))
      .catch(() => setAt('unreachable'))
  }, [])
  const [title, reason] = WORDS[at]
  const report = error.digest === undefined ? '' : ` If it goes on, report ${error.digest}.`
  return (
    <div role="alert">
      <PageHead
        title={title}
        lead={`${reason} A change that you just confirmed may have been made: check Activity before you repeat it.${report}`}
        action={
          <div className="flex flex-wrap gap-2">
            {/* Loads the page anew: this one is broken. */}
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
