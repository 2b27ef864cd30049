import 'server-only'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Parameters and facts never contain codes, card numbers or passwords. */
export interface Effect {
  readonly id: string
  readonly kind: string
  readonly actor: string
  readonly params: string
  readonly facts: string
  readonly policy: string | null
}

/** Lone surrogates in the service's texts cannot be encoded in UTF-8. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** SHA-256 of the canonical JSON (RFC 8785) in hexadecimal. */
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
