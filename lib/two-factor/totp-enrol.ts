import 'server-only'
import { serviceCommand } from '#lib/commands/kind.ts'
import { deleteDigits, saveDigits } from '#lib/commands/step-up.ts'
import type { TotpEnrolment } from '#lib/contract/security.ts'
import { enrolTotp } from '#lib/service/security.ts'
import { onlyIfNotEnrolled, ownTotp, reconcileFactor, stateLine, type TotpFacts } from './own-factor.ts'
import { totpKeyOf } from './totp-key.ts'

/**
 * `POST Security/totp/enrol`: creates a key that waits for its first code. The key is only in this answer and is never
 * stored; the next key replaces a lost one.
 */
export const totpEnrol = serviceCommand<object, TotpFacts, TotpEnrolment>({
  ...ownTotp,
  kind: 'totp.enrol',
  checkFacts: onlyIfNotEnrolled,
  title: () => 'Set up two-factor security',
  doneTitle: () => 'Two-factor security set up',
  consequence: () => 'A key is created and shown once. A code activates it.',
  send: (session) => enrolTotp(session),
  compareAnswer: ({ data: { url } }) => (isProvisioningUri(url) ? 'agrees' : 'contradicts'),
  describeSuccess: () => ({ steps: [], lines: [stateLine('Waiting for its first code')] }),
  async onSettled(trx, { actor, data }) {
    // The answer was lost, so the previous key stays in use.
    if (data === null) return
    const digits = totpKeyOf(data.url)?.digits ?? null
    await (digits === null ? deleteDigits(trx, actor) : saveDigits(trx, actor, digits))
  },
  once: ({ url, barcode }) => ({ what: 'totp-key', url, barcode }),
  /** No read shows whether the service created a key. */
  hasHiddenEffect: true,
  reconcile: reconcileFactor(true),
  unknownAdvice: 'You can start again: a new key replaces this one.',
})

const isProvisioningUri = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'otpauth:'
