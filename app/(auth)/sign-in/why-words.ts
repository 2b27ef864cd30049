import type { WhySignIn } from '#lib/session/sign-in/paths.ts'
import { ownProperty } from '#lib/values/words.ts'

/** Each text says whether another attempt helps. */
const byReason: Readonly<Record<WhySignIn, string>> = {
  ended: 'Your session has ended. Sign in again; you come back to where you were.',
  'ended-by-admin':
    'An administrator of this console has ended your session. Ask them if you do not know why; then sign in again.',
  stale: 'This sign-in page was no longer valid, so nothing was checked. Try again.',
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in. Trying again does not help. Ask your administrator.',
  locked: 'This account is locked. Wait, or ask your administrator.',
  wait: 'Too many attempts to sign in with a password. Try again in a moment.',
  unavailable: 'The service cannot check a password right now. Try again in a moment.',
  unidentified:
    'The password is right, but the console could not find out who you are, so you are not signed in. Use single sign-on, or try again in a moment.',
  'sso-unreachable': 'Single sign-on cannot be reached. Try again in a moment.',
  'sso-unfinished':
    'Single sign-on did not finish. It may have taken too long. Try again; if it fails again, tell your administrator.',
  'sso-failed':
    'Single sign-on did not give this console what it needs. Trying again does not help. Tell your administrator.',
  denied:
    'Single sign-on refused to sign you in here. Try again if you cancelled it yourself; otherwise ask your administrator.',
  'sign-in-class':
    'This console asks for a stronger sign-in than the one you used. You are not signed in. Sign in again and use your second factor; if you are not asked for one, tell your administrator.',
  'not-staff':
    'This console is for staff, and your account is not marked as staff. You are not signed in. Trying again does not help. Ask your administrator for access.',
  unchecked: 'The console could not check whether you are staff, so you are not signed in. Try again in a moment.',
  busy: 'Too many people are signing in with a password right now. Try again in a moment.',
  'not-saved': 'The console could not finish this sign-in. Try again in a moment.',
}

/** Null when there is no reason, or an unknown one. */
export function whyWords(why: string | null, seconds: string | null): string | null {
  const words = why === null ? null : (ownProperty(byReason, why) ?? null)
  if (words === null || !isHeldOff(why) || seconds === null || !/^[1-9]\d{0,2}$/.test(seconds)) return words
  return words.replace('in a moment', `in ${seconds} s`)
}

/** The password was not checked, because of a rate limit or load; a later attempt may succeed. */
export const isHeldOff = (why: string | null): boolean => why === 'wait' || why === 'busy'

/** Accepts only a UUID, the form of a request id, so that an address cannot put other text on the page. */
export const requestIdIn = (text: string | null): string | null =>
  text !== null && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null
