import { TOTP } from 'otpauth'

const STEP_MS = 30_000

/** A person's phone: it was given a secret, and shows a new code every half minute. */
export class Phone {
  readonly #totp: TOTP

  /** `shown`: the secret as a person reads it, in groups of four, with whatever stands around it. */
  constructor(shown: string | null) {
    const [secret = ''] = /(?:[A-Z2-7]{4} )*[A-Z2-7]{1,4}\b/.exec(shown ?? '') ?? []
    this.#totp = new TOTP({ secret: secret.replaceAll(' ', '') })
  }

  /** The code now, or so many half minutes ahead: phones go fast, and a code works once. */
  code(ahead = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + ahead * STEP_MS })
  }
}

/** Six digits that are none of these. */
export function wrongCode(...codes: readonly string[]): string {
  const near = new Set(codes)
  for (let digit = 0; ; digit += 1) {
    const code = String(digit).repeat(6)
    if (!near.has(code)) return code
  }
}
