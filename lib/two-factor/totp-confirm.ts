import 'server-only'
import { serviceCommand } from '#lib/commands/kind.ts'
import { confirmDigits } from '#lib/commands/step-up.ts'
import { confirmTotp, readTotpStatus } from '#lib/service/security.ts'
import { store } from '#lib/store/store.ts'
import {
  compareEnrolment,
  onlyIfNotEnrolled,
  ownTotp,
  reconcileFactor,
  stateLine,
  type TotpFacts,
} from './own-factor.ts'

/** `POST Security/totp/enrol/confirm`: turns two-factor security on. */
export const totpConfirm = serviceCommand<object, TotpFacts, unknown>({
  ...ownTotp,
  kind: 'totp.confirm',
  takesCode: true,
  checkFacts: onlyIfNotEnrolled,
  title: () => 'Turn on two-factor security',
  doneTitle: () => 'Two-factor security turned on',
  consequence: () => 'Sensitive changes then need a code.',
  send: (session, _params, code) => confirmTotp(session, code),
  compareAnswer: compareEnrolment(true),
  describeSuccess: () => ({ steps: [], lines: [stateLine('On')] }),
  /** From now on the stored digit count belongs to the key in use. */
  async describeFurther(session) {
    const status = await readTotpStatus(session)
    const enrolledAt = status.ok && status.value.enrolled ? status.value.enrolledAt : null
    if (enrolledAt !== null) await confirmDigits(await store(), session.actor, enrolledAt)
    return null
  },
  reconcile: reconcileFactor(true),
  unknownAdvice: 'You can send the next code: repeating this is safe.',
})
