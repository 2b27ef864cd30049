import 'server-only'
import { type FieldFaults, serviceCommand } from '#lib/commands/kind.ts'
import { isSuccess, removeTotp } from '#lib/service/security.ts'
import { dropGrant } from '#lib/session/step-up-grants.ts'
import { compareEnrolment, ownTotp, reconcileFactor, stateLine, type TotpFacts } from './own-factor.ts'

/** `DELETE Security/totp`: requires a current code. */
export const totpRemove = serviceCommand<object, TotpFacts, unknown>({
  ...ownTotp,
  kind: 'totp.remove',
  takesCode: true,
  checkFacts: (_params, { enrolled }): FieldFaults =>
    enrolled === 'yes' ? {} : { totp: 'Two-factor security is not set up, so there is nothing to remove.' },
  title: () => 'Remove two-factor security',
  doneTitle: () => 'Two-factor security removed',
  consequence: () => 'You have no second factor until you set it up again.',
  async send(session, _params, code) {
    const sent = await removeTotp(session, code)
    // A grant by the removed factor must end with it.
    if (sent.kind === 'answer' && isSuccess(sent)) dropGrant(session.id)
    return sent
  },
  compareAnswer: compareEnrolment(false),
  describeSuccess: () => ({ steps: [], lines: [stateLine('Removed')] }),
  reconcile: reconcileFactor(false),
  unknownAdvice: 'You can send the next code: repeating this is safe.',
})
