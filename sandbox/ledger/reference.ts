import type { Randomness } from '#sandbox/world/random.ts'

/** References are opaque: clients must not parse them. */
export function newReference(kind: string, random: Randomness, at: string): string {
  const hex = random.bytes(6).toString('hex')
  return `${kind}~${hex.slice(0, 8)}-${hex.slice(8)}.${at.slice(0, 10).replaceAll('-', '')}`
}
