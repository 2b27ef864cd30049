/** Why somebody is at the sign-in page, by our own reason. */
const byReason: Readonly<Record<string, string>> = {
  ended: 'Your session has ended. Sign in again; you come back to where you were.',
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in. Ask whoever manages accounts.',
  locked: 'This account is locked. Wait, or ask whoever manages accounts.',
  unavailable: 'The service cannot check a password right now. Try again in a moment.',
  'sso-failed': 'Single sign-on did not give this console what it needs. Tell whoever runs it.',
  'not-saved': 'The console could not open its vault. Try again in a moment.',
}

/** By next-auth's reasons: all are failures of the handshake with the identity provider. */
const byError: Readonly<Record<string, string>> = {
  OAuthSignin: 'Single sign-on cannot be reached. Try again in a moment.',
  OAuthCallback: 'Single sign-on did not finish. It may have taken too long; try again.',
  AccessDenied: 'Single sign-on refused. Ask whoever manages accounts.',
}

/** Words for the reason; null when there is none. One that is not known still says that something failed. */
export function whyWords(why: string | undefined, error: string | undefined): string | null {
  if (why !== undefined) return byReason[why] ?? null
  if (error !== undefined) return byError[error] ?? 'Sign-in did not finish. Try again.'
  return null
}
