import 'server-only'
import { alike } from '#lib/values/alike.ts'
import { own } from '#lib/values/own.ts'

/** How a success of the service compares with the command that it answers. */
export type Agreement =
  /** It says that this very change took effect. */
  | 'agrees'
  /** It contradicts nothing, and does not say that the change took effect. */
  | 'silent'
  /** It says something else than was commanded. */
  | 'contradicts'

/** A success of the service whose body fits the contract, beside the command that it answers. */
export interface Answered<Params, Facts, Data> {
  readonly params: Params
  readonly facts: Facts
  readonly data: Data
  /** The service's id of who sent the command; null when that is not known. */
  readonly actorUserId: string | null
}

type Check = (value: unknown) => boolean

export const equals =
  (expected: unknown): Check =>
  (value) =>
    value === expected

/** Ids may be written in capitals or not. */
export const equalsId =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && value.toLowerCase() === expected.toLowerCase()

/** A service may tidy up the texts that it is sent. */
export const resembles =
  (expected: string): Check =>
  (value) =>
    typeof value === 'string' && alike(value, expected)

/**
 * Compares a body of which the interface does not show the fields. A field that is there and fails its check contradicts. The body
 * agrees only where it has all fields that are named in `proof`.
 */
export function compareFields(
  data: unknown,
  checks: Readonly<Record<string, Check>>,
  proof: readonly string[],
): Agreement {
  if (typeof data !== 'object' || data === null) return 'silent'
  const fields = data as Readonly<Record<string, unknown>>
  const stated = Object.entries(checks).filter(([name]) => (own(fields, name) ?? null) !== null)
  if (stated.some(([name, passes]) => !passes(fields[name]))) return 'contradicts'
  return proof.every((name) => stated.some(([there]) => there === name)) ? 'agrees' : 'silent'
}
