import { userIdEndingIn } from '#sandbox/seed/people.ts'

export const OPERATOR = 'operator@example.com'
export const ARBITRATOR = 'arbitrator@example.com'

/** Ana has 60 transactions; the viewer has none. */
export const HISTORY = `/users/${userIdEndingIn('011')}`
export const HISTORY_WITHOUT_ROWS = `/users/${userIdEndingIn('004')}`
export const QUEUE = '/disputes'
/** No case is about the viewer. */
export const QUEUE_WITHOUT_ROWS = `/disputes?party=${userIdEndingIn('004')}`
