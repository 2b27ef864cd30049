import { userIdEndingIn } from '#sandbox/seed/people.ts'

export interface Control {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly does: string
}

export interface Sample {
  readonly referenceId: string
  readonly senderId: string
}

const ANA = userIdEndingIn('011')
const ARBITRATOR = userIdEndingIn('002')
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** Without the KYC webhook, whose deliveries are signed. */
export const controlList = ({ referenceId, senderId }: Sample): readonly Control[] => [
  { method: 'GET', path: '/health', does: 'Shows that it is up.' },
  {
    method: 'POST',
    path: '/sandbox/reset',
    does: 'Back to the seeded world, faults cleared. Every refresh token ends.',
  },
  { method: 'GET', path: '/sandbox/clock', does: 'The ledger’s time.' },
  {
    method: 'POST',
    path: '/sandbox/clock',
    body: { advanceSeconds: 86_400 },
    does: 'Moves the ledger’s time and settles what falls due. Tokens, codes and locks follow the machine’s time.',
  },
  { method: 'GET', path: `/sandbox/balances/${ANA}`, does: 'A wallet’s total and available balance.' },
  {
    method: 'POST',
    path: '/sandbox/disputes',
    body: { referenceId, raisedByUserId: senderId, reason: 'It never came.' },
    does: 'Raises a dispute: PROCESSING becomes DISPUTED, and a case begins. Either party of a transfer or purchase can.',
  },
  {
    method: 'POST',
    path: '/sandbox/transactions',
    body: { referenceId, move: 'block' },
    does: 'Moves a transaction that is PROCESSING: block, fail, reverse, or dispute it without a case; or one that is BLOCKED: unblock.',
  },
  { method: 'GET', path: '/sandbox/authenticator', does: 'The current codes of everyone with two-factor security.' },
  {
    method: 'GET',
    path: `/sandbox/totp/${ARBITRATOR}`,
    does: 'A code of one user that works now. 404 if none does, for example because it was used.',
  },
  {
    method: 'POST',
    path: '/sandbox/tokens/expire',
    body: { userId: ARBITRATOR, refresh: false },
    does: 'A user’s access tokens end now; with refresh, the refresh tokens as well.',
  },
  {
    method: 'POST',
    path: '/sandbox/hub/drop',
    body: { downMs: 5000 },
    does: 'Closes every hub connection. The hub answers 503 for that time.',
  },
  {
    method: 'GET',
    path: '/sandbox/requests?after=0',
    does: 'Requests received: sequence, method, path, status, user, whether a step-up grant was there. No bodies, no tokens.',
  },
  {
    method: 'POST',
    path: '/sandbox/faults',
    body: { method: 'POST', path: CONFIRM, times: 1, effect: 'drop-after' },
    does: 'Adds a fault to the next matching requests (see below). A share such as 0.05 limits it to that part.',
  },
  {
    method: 'GET',
    path: '/sandbox/faults',
    does: 'Pending faults, and the number of held requests.',
  },
  { method: 'DELETE', path: '/sandbox/faults', does: 'Removes all faults. Held requests continue.' },
]

export const faultEffects: readonly (readonly [effect: unknown, does: string])[] = [
  [
    { status: 503, code: 'core::gatekeeper::grant::invalid', title: 'Try again later.', retryAfter: 2 },
    'A problem document instead of the operation. Only the status is required.',
  ],
  [{ delayMs: 3000 }, 'The operation, delayed by that many milliseconds.'],
  ['hold', 'The operation waits until the faults are removed.'],
  ['drop-before', 'The connection is cut. Nothing is done.'],
  ['drop-after', 'The operation is done, and then the connection is cut.'],
  ['accept-202', 'Operations that can be slow answer 202 and continue. Others are unchanged.'],
  ['garble', 'The operation is done, but its answer cannot be read.'],
]
