import type { WhySignIn } from '#lib/session/sign-in/paths.ts'
import { ownProperty } from '#lib/values/words.ts'

/** Each text says whether another attempt helps. */
const byReason: Readonly<Record<WhySignIn, string>> = {
  ended: 'Your session has ended. Sign in again to return to your page.',
  'ended-by-admin': 'An administrator ended your session. Sign in again, or ask them why.',
  stale: 'This sign-in page had expired. Try again.',
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in. Trying again does not help. Ask your administrator.',
  locked: 'This account is locked. Wait, or ask your administrator.',
  wait: 'Too many attempts to sign in with a password. Try again in a moment.',
  unavailable: 'The service cannot check a password right now. Try again in a moment.',
  unidentified: 'The password is right, but your user could not be read. Use single sign-on, or try again in a moment.',
  'sso-unreachable': 'Single sign-on cannot be reached. Try again in a moment.',
  'sso-unfinished': 'Single sign-on did not finish. Try again; if it fails again, contact your administrator.',
  'sso-failed':
    'Single sign-on did not return the required data. Trying again does not help. Contact your administrator.',
  denied: 'Single sign-on refused the sign-in. Try again if you cancelled it; otherwise ask your administrator.',
  'sign-in-class':
    'This console needs a stronger sign-in. Sign in again with your second factor. If you are not asked for one, contact your administrator.',
  'not-staff':
    'Your account is not marked as staff, so you are not signed in. Trying again does not help. Ask your administrator for access.',
  'groups-left-out':
    'You are in too many groups for single sign-on to name them, so you are not signed in. Trying again does not help. Your administrator can use app roles instead.',
  unchecked: 'Your staff status could not be checked, so you are not signed in. Try again in a moment.',
  busy: 'Too many people are signing in with a password right now. Try again in a moment.',
  'not-saved': 'The sign-in could not be completed. Try again in a moment.',
}

/** Null when there is no reason, or an unknown one. */
export function reasonWords(why: string | null, seconds: string | null): string | null {
  const words = why === null ? null : (ownProperty(byReason, why) ?? null)
  if (words === null || !isHeldOff(why) || seconds === null || !/^[1-9]\d{0,2}$/.test(seconds)) return words
  return words.replace('in a moment', `in ${seconds} s`)
}

/** The password was not checked, because of a rate limit or load; a later attempt may succeed. */
export const isHeldOff = (why: string | null): boolean => why === 'wait' || why === 'busy'

/** Accepts only a UUID, the form of a request id, so that an address cannot put other text on the page. */
export const requestIdIn = (text: string | null): string | null =>
  text !== null && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text) ? text : null
