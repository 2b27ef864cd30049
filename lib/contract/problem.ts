import { z } from 'zod'
import { integer } from './endpoint.ts'

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'
export const PROBLEM_TYPE_PREFIX = 'urn:ocs:error:'
export const STEP_UP_HEADER = 'X-Step-Up'

/** The interface's list is not complete. */
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

/** One wrong member must not invalidate the others. */
const ifItFits = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const fieldErrors = z.record(z.string(), z.unknown()).transform((errors) => {
  const lists = Object.entries(errors).map(
    ([field, messages]) => [field, z.array(z.string()).safeParse(messages).data] as const,
  )
  return Object.fromEntries(lists.filter((entry): entry is [string, string[]] => entry[1] !== undefined))
})

/** RFC 7807; a proxy may answer with less. */
export const problemDocument = z.object({
  type: ifItFits(z.string()),
  title: ifItFits(z.string()),
  status: ifItFits(integer),
  detail: ifItFits(z.string()),
  traceId: ifItFits(z.string()),
  errors: ifItFits(fieldErrors),
})

export function codeOf(problem: Pick<z.output<typeof problemDocument>, 'type'>): string | null {
  const { type } = problem
  return type?.startsWith(PROBLEM_TYPE_PREFIX) ? type.slice(PROBLEM_TYPE_PREFIX.length) : null
}

export interface Problem {
  /**
   * `unreadable`: an answer that does not fit the contract, or of a gateway. `sign-on-out`: the token expired and the
   * identity provider is unavailable. `console`: its page's request failed. `console-unreachable`: no answer came.
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
  readonly scope: string | null
  readonly errors?: Readonly<Record<string, readonly string[]>>
}
