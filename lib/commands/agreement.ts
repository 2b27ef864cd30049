import 'server-only'
import { sameAccount } from '#lib/values/ids.ts'
import { alike } from '#lib/values/text.ts'
import { ownProperty } from '#lib/values/words.ts'

export type Agreement =
  | 'agrees'
  /** The answer does not state the effect. */
  | 'silent'
  | 'contradicts'

export interface Answered<Params, Facts, Data> {
  readonly params: Params
  readonly facts: Facts
  readonly data: Data
  readonly actorUserId: string | null
}

type Check = (value: unknown) => boolean

export const equals =
  (expected: unknown): Check =>
  (value) =>
    value === expected

export const equalsId =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && sameAccount(value, expected)

export const resembles =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && alike(value, expected)

/** Agrees only if the body has all fields in `proof`. */
export function compareFields(
  data: unknown,
  checks: Readonly<Record<string, Check>>,
  proof: readonly string[],
): Agreement {
  if (typeof data !== 'object' || data === null) return 'silent'
  const fields = data as Readonly<Record<string, unknown>>
  const stated = Object.entries(checks).filter(([name]) => (ownProperty(fields, name) ?? null) !== null)
  if (stated.some(([name, passes]) => !passes(fields[name]))) return 'contradicts'
  return proof.every((name) => stated.some(([there]) => there === name)) ? 'agrees' : 'silent'
}
