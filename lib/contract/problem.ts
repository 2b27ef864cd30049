import { z } from 'zod'
import { integer } from './wire.ts'

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'
export const PROBLEM_TYPE_PREFIX = 'urn:ocs:error:'
export const STEP_UP_HEADER = 'X-Step-Up'

/** Error codes that interface.md gives. Others may come: its catalogue is not complete. */
const errorCodes = [
  'core::kineto::p2p::initiate::fail',
  'core::tessera::not_found',
  'core::tessera::request::invalid',
  'core::tessera::limits::invalid',
  'core::tessera::unusable',
  'core::tessera::update::fail',
  'core::tessera::terminal::not_found',
  'core::tessera::terminal::invalid',
  'core::tessera::terminal::already_registered',
  'core::tessera::terminal::update::fail',
  'core::gatekeeper::required',
  'core::gatekeeper::enrol::required',
  'core::gatekeeper::code::invalid',
  'core::gatekeeper::totp::already_enrolled',
  'core::gatekeeper::enrol::fail',
  'core::gatekeeper::grant::invalid',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** A member that is left out, or is of another type, reads as absent, so that the others stand. */
const ifItFits = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

/** Messages by field. What is no list of texts is none. */
const fieldErrors = z.record(z.string(), z.unknown()).transform((errors) => {
  const lists = Object.entries(errors).map(
    ([field, told]) => [field, z.array(z.string()).safeParse(told).data] as const,
  )
  return Object.fromEntries(lists.filter((entry): entry is [string, string[]] => entry[1] !== undefined))
})

/** RFC 7807 document as interface.md gives it. Read leniently: a proxy in between may answer with less. */
export const problemDocument = z.object({
  type: ifItFits(z.string()),
  title: ifItFits(z.string()),
  status: ifItFits(integer),
  detail: ifItFits(z.string()),
  traceId: ifItFits(z.string()),
  errors: ifItFits(fieldErrors),
})

export type ProblemDocument = z.output<typeof problemDocument>

/** The machine-readable code of a problem: its `type` without the prefix, or null where it carries none. */
export function codeOf(problem: Pick<ProblemDocument, 'type'>): string | null {
  const { type } = problem
  return type?.startsWith(PROBLEM_TYPE_PREFIX) ? type.slice(PROBLEM_TYPE_PREFIX.length) : null
}

/** What a client knows of a request that did not succeed. */
export interface Problem {
  /**
   * `service`: it answered with a refusal or a fault. `unreachable`: no answer came. `unreadable`: it answered a success
   * that does not fit the contract. `session-over`: there is no valid token any more. `sign-on-out`: the token has ended,
   * and the identity provider cannot be asked for another; nothing is known of the service. `console`: the console itself
   * could not serve a request of its page, and says why. `console-unreachable`: the page got no answer of the console.
   */
  readonly kind:
    | 'service'
    | 'unreachable'
    | 'unreadable'
    | 'session-over'
    | 'sign-on-out'
    | 'console'
    | 'console-unreachable'
  readonly status: number | null
  /** Without the `urn:ocs:error:` prefix. */
  readonly code: string | null
  readonly title: string | null
  readonly traceId: string | null
  readonly retryAfterSeconds: number | null
  /** The scope that the endpoint asks for, where the interface names one. */
  readonly scope: string | null
  /** Of a validation failure: what the service says about each field. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
}
