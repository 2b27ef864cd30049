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

const control = (request: string, does: string, body?: object): Control => {
  const [method, path = ''] = request.split(' ')
  return { method: method as Control['method'], path, does, ...(body === undefined ? {} : { body }) }
}

/** Without the KYC webhook, whose deliveries are signed. */
export const controlList = ({ referenceId, senderId }: Sample): readonly Control[] => [
  control('GET /health', 'Shows that it is up.'),
  control('POST /sandbox/reset', 'Back to the seeded world, faults cleared. Every refresh token ends.'),
  control('GET /sandbox/clock', 'The ledger’s time.'),
  control(
    'POST /sandbox/clock',
    'Moves the ledger’s time and settles what falls due. Tokens, codes and locks follow the machine’s time.',
    { advanceSeconds: 86_400 },
  ),
  control(`GET /sandbox/balances/${ANA}`, 'A wallet’s total and available balance.'),
  control(
    'POST /sandbox/disputes',
    'Raises a dispute: PROCESSING becomes DISPUTED, and a case begins. Either party of a transfer or purchase can.',
    { referenceId, raisedByUserId: senderId, reason: 'It never came.' },
  ),
  control(
    'POST /sandbox/transactions',
    'Moves a transaction that is PROCESSING: block, fail, reverse, or dispute it without a case; or one that is BLOCKED: unblock.',
    { referenceId, move: 'block' },
  ),
  control('GET /sandbox/authenticator', 'The current codes of everyone with two-factor security.'),
  control(
    `GET /sandbox/totp/${ARBITRATOR}`,
    'A code of one user that works now. 404 if none does, for example because it was used.',
  ),
  control('POST /sandbox/tokens/expire', 'A user’s access tokens end now; with refresh, the refresh tokens as well.', {
    userId: ARBITRATOR,
    refresh: false,
  }),
  control('POST /sandbox/hub/drop', 'Closes every hub connection. The hub answers 503 for that time.', {
    downMs: 5000,
  }),
  control(
    'GET /sandbox/requests?after=0',
    'Requests received: sequence, method, path, status, user, whether a step-up grant was there. No bodies, no tokens.',
  ),
  control(
    'POST /sandbox/faults',
    'Adds a fault to the next matching requests (see below). A share such as 0.05 limits it to that part.',
    { method: 'POST', path: CONFIRM, times: 1, effect: 'drop-after' },
  ),
  control('GET /sandbox/faults', 'Pending faults, and the number of held requests.'),
  control('DELETE /sandbox/faults', 'Removes all faults. Held requests continue.'),
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
