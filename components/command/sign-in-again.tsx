import { useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'

/** A new tab, so that typed text stays. */
export function SignInAgain() {
  const [back, setBack] = useState(false)
  useSessionBack(() => setBack(true))
  return (
    <p role="alert" className="text-sm">
      <strong className="block">{back ? 'You are signed in again' : 'Your session has ended'}</strong>
      {back ? (
        'Nothing was sent meanwhile. Try again: what you typed is still here.'
      ) : (
        <>
          <a href="/sign-in" target="_blank" rel="noreferrer" className="text-primary underline underline-offset-4">
            Sign in again in a new tab
          </a>
          , then come back and confirm: what you typed is still here.
        </>
      )}
    </p>
  )
}
