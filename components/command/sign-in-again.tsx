import { useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'

/** Opens sign-in in a new tab, so that nothing typed here is lost. */
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
