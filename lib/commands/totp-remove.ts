import 'server-only'
import { removeTotp } from '#lib/core-api/security.ts'
import { dropGrant } from '#lib/session/step-up-grants.ts'
import type { CommandKind } from './command-kind.ts'
import type { FieldFaults } from './field-faults.ts'
import { lookUntil, ownTotp, stateLine, type TotpFacts } from './totp.ts'

/** `DELETE Security/totp`: with a current code, forgets the key. */
export const totpRemove: CommandKind<object, TotpFacts, unknown> = {
  ...ownTotp,
  kind: 'totp.remove',
  takesCode: true,
  checkFacts: (_params, { enrolled }): FieldFaults =>
    enrolled === 'yes' ? {} : { totp: 'Two-factor security is not set up, so there is nothing to remove.' },
  title: () => 'Remove two-factor security',
  consequence: () => 'Changes that need a second factor can no longer be made until it is set up anew.',
  async send(session, _params, code) {
    const sent = await removeTotp(session, code)
    // What was verified by a factor that is gone is verified no longer.
    if (sent.kind === 'answer' && sent.problem === null) dropGrant(session.id)
    return sent
  },
  tell: () => ({ steps: [], lines: [stateLine('Removed')] }),
  look: lookUntil(false),
  unknownAdvice: 'You may send the next code: what is removed stays removed.',
}
