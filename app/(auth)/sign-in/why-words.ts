import type { WhySignIn } from '#lib/session/sign-in/paths.ts'
import { own } from '#lib/values/own.ts'

/** Why somebody is at the sign-in page, by our own reason. */
const byReason: Readonly<Record<WhySignIn, string>> = {
  ended: 'Your session has ended. Sign in again; you come back to where you were.',
  'ended-by-admin':
    'An administrator of this console has ended your session. Ask them if you do not know why; then sign in again.',
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in. Ask your administrator.',
  locked: 'This account is locked. Wait, or ask your administrator.',
  unavailable: 'The service cannot check a password right now. Try again in a moment.',
  'sso-failed': 'Single sign-on did not give this console what it needs. Tell your administrator.',
  'sign-in-class':
    'This console asks for a stronger sign-in than the one you used. You are not signed in. Sign in again and use your second factor; if you are not asked for one, tell your administrator.',
  denied: 'Single sign-on refused to sign you in here. Ask your administrator.',
  'not-staff':
    'This console is for staff, and your account is not marked as staff. You are not signed in. Ask your administrator for access.',
  unchecked: 'Whether you are staff could not be checked, so you are not signed in. Try again in a moment.',
  unidentified:
    'The password is right, but the console could not find out who you are, so you are not signed in. Use single sign-on.',
  wait: 'Too many attempts to sign in with a password. Try again in a moment.',
  busy: 'Too many people are signing in with a password right now. Try again in a moment.',
  'not-saved': 'The console could not open its vault. Try again in a moment.',
}

/** By next-auth's reasons: failures of the handshake with the identity provider, but for the one that is ours. */
const byError: Readonly<Record<string, string>> = {
  OAuthSignin: 'Single sign-on cannot be reached. Try again in a moment.',
  OAuthCallback: 'Single sign-on did not finish. It may have taken too long; try again.',
  Stale: 'This sign-in page was no longer valid, so nothing was checked. Try again.',
  AccessDenied: 'Single sign-on did not let you in. Ask your administrator.',
}

/** Words for the reason; null when there is none. One that is not known still says that something failed. */
export function whyWords(why: string | undefined, error: string | undefined, seconds?: string): string | null {
  const words = why === undefined ? undefined : own(byReason, why)
  if (words !== undefined && isHeldOff(why) && seconds !== undefined && /^[1-9]\d{0,2}$/.test(seconds)) {
    return words.replace('in a moment', `in ${seconds} s`)
  }
  if (why !== undefined) return words ?? null
  if (error !== undefined) return own(byError, error) ?? 'Sign-in did not finish. Try again.'
  return null
}

/** Whether a password was not tried at all, and can be in a while. */
export const isHeldOff = (why: string | null | undefined): boolean => why === 'wait' || why === 'busy'
