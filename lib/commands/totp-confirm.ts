import 'server-only'
import { confirmTotp } from '#lib/core-api/security.ts'
import type { CommandKind } from './command-kind.ts'
import { lookUntil, onlyIfNotEnrolled, ownTotp, stateLine, type TotpFacts } from './totp.ts'

/** `POST Security/totp/enrol/confirm`: the first code of a key turns two-factor security on. */
export const totpConfirm: CommandKind<object, TotpFacts, unknown> = {
  ...ownTotp,
  kind: 'totp.confirm',
  takesCode: true,
  checkFacts: onlyIfNotEnrolled,
  title: () => 'Turn on two-factor security',
  consequence: () => 'From then on sensitive changes ask for a code.',
  send: (session, _params, code) => confirmTotp(session, code),
  tell: () => ({ steps: [], lines: [stateLine('On')] }),
  look: lookUntil(true),
  unknownAdvice: 'You may send the next code: a key is confirmed once, whatever comes after.',
}
