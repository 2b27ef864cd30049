/** The way back in, in a tab of its own, so that nothing typed here is lost. */
export const SignInAgain = () => (
  <p role="alert" className="text-sm">
    <strong className="block">Your session has ended</strong>
    <a href="/sign-in" target="_blank" rel="noreferrer" className="text-primary underline underline-offset-4">
      Sign in again in a new tab
    </a>
    , then come back and confirm: what you typed is still here.
  </p>
)
