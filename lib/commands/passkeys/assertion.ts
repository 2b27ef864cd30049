import { z } from 'zod'

const CHARS_MAX = 8_192
const base64url = z
  .string()
  .max(CHARS_MAX)
  .regex(/^[\w-]+$/)

/** WebAuthn `AuthenticationResponseJSON`. */
export const assertion = z.object({
  id: base64url,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

export type Assertion = z.output<typeof assertion>

/** WebAuthn `RegistrationResponseJSON`. */
export const attestation = z.object({
  id: base64url,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(
        z
          .string()
          .max(40)
          .regex(/^[a-z-]+$/),
      )
      .max(10)
      .default([]),
  }),
})

export type Attestation = z.output<typeof attestation>
