import type { Randomness } from '#sandbox/world/random.ts'

/** An opaque reference. Its look is this sandbox's own; nobody may read anything out of it. */
export function newReference(kind: string, random: Randomness, at: string): string {
  const hex = random.bytes(6).toString('hex')
  return `${kind}~${hex.slice(0, 8)}-${hex.slice(8)}.${at.slice(0, 10).replaceAll('-', '')}`
}
