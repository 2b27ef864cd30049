import 'server-only'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** All that a command does and was prepared on. Codes, card numbers and passwords are no part of parameters or facts. */
export interface Effect {
  readonly id: string
  readonly kind: string
  readonly actor: string
  /** JSON texts. */
  readonly params: string
  readonly facts: string
  /** The policy's version; null where there is none. */
  readonly policy: string | null
}

/** Half a character of the service's texts cannot be written in UTF-8. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** SHA-256 of the canonical JSON (RFC 8785) of an effect, in hexadecimal. Anybody can make it anew from the event of the draft. */
export function effectDigest({ id, kind, actor, params, facts, policy }: Effect): string {
  const effect = {
    id,
    kind,
    actor,
    params: JSON.parse(params, wellFormed) as unknown,
    facts: JSON.parse(facts, wellFormed) as unknown,
    policy,
  }
  return createHash('sha256')
    .update(canonicalize(effect) ?? '')
    .digest('hex')
}
