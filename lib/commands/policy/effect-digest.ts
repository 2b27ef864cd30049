import 'server-only'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Parameters and facts never contain codes, card numbers or passwords. */
export interface Effect {
  readonly id: string
  readonly kind: string
  readonly actor: string
  /** JSON texts. */
  readonly params: string
  readonly facts: string
  /** Null if no policy is configured. */
  readonly policy: string | null
}

/** The service's texts may contain lone surrogates, which UTF-8 cannot encode. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** SHA-256 of the canonical JSON (RFC 8785) in hexadecimal, reproducible from the draft's event. */
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
