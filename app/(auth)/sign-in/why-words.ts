import type { WhySignIn } from '#lib/session/paths.ts'

/** Why somebody is at the sign-in page, by our own reason. */
const byReason: Readonly<Record<WhySignIn, string>> = {
  ended: 'Your session has ended. Sign in again; you come back to where you were.',
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in. Ask whoever manages accounts.',
  locked: 'This account is locked. Wait, or ask whoever manages accounts.',
  unavailable: 'The service cannot check a password right now. Try again in a moment.',
  'sso-failed': 'Single sign-on did not give this console what it needs. Tell whoever runs it.',
  denied: 'Single sign-on refused to sign you in here. Ask whoever manages accounts.',
  'not-staff':
    'This console is for staff, and nothing says that you are. No session was made. Ask your administrator, or whoever runs this console, for access.',
  unchecked:
    'Whether you are staff could not be checked, so no session was made. This says nothing about you: try again in a moment.',
  unidentified:
    'The password is right, but the console could not find out who you are, so no session was made. Use single sign-on.',
  wait: 'Too many attempts to sign in with a password. Try again in a moment.',
  'not-saved': 'The console could not open its vault. Try again in a moment.',
}

/** By next-auth's reasons: all are failures of the handshake with the identity provider. */
const byError: Readonly<Record<string, string>> = {
  OAuthSignin: 'Single sign-on cannot be reached. Try again in a moment.',
  OAuthCallback: 'Single sign-on did not finish. It may have taken too long; try again.',
  AccessDenied: 'Single sign-on refused. Ask whoever manages accounts.',
}

/** Words for the reason; null when there is none. One that is not known still says that something failed. */
export function whyWords(why: string | undefined, error: string | undefined, seconds?: string): string | null {
  if (why === 'wait' && seconds !== undefined && /^[1-9]\d{0,2}$/.test(seconds)) {
    return `Too many attempts to sign in with a password. Try again in ${seconds} s.`
  }
  if (why !== undefined) return wordsIn(byReason, why)
  if (error !== undefined) return wordsIn(byError, error) ?? 'Sign-in did not finish. Try again.'
  return null
}

/** The key comes with an address: names that every object has are no reasons. */
const wordsIn = (words: Readonly<Record<string, string>>, key: string): string | null =>
  Object.hasOwn(words, key) ? (words[key] ?? null) : null
