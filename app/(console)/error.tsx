'use client'

import { Button } from '#components/ui/button.tsx'
import { PageHead } from '#components/ui/page-head.tsx'

/** A fault of the console itself. Next hands over a digest under which the log has the details. */
export default function ConsoleError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div role="alert">
      <PageHead
        title="This page could not be shown"
        lead={`Something in the console went wrong.${error.digest === undefined ? '' : ` Report ${error.digest}.`}`}
        action={<Button onClick={reset}>Try again</Button>}
      />
    </div>
  )
}
