import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { PROBLEM_CONTENT_TYPE, PROBLEM_TYPE_PREFIX } from '#lib/contract/problem.ts'

export interface ProblemFields {
  readonly status: number
  /** Without the `urn:ocs:error:` prefix. */
  readonly code: string
  readonly title: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfter?: number
}

/** Sent as a problem document. Throwing it in a transaction rolls back. */
export class Refusal extends Error {
  readonly problem: ProblemFields

  constructor(status: number, code: string, title: string, errors?: Readonly<Record<string, readonly string[]>>) {
    super(title)
    this.name = 'Refusal'
    this.problem = { status, code, title, ...(errors === undefined ? {} : { errors }) }
  }
}

export const invalidField = (field: string, rule: string): Refusal =>
  new Refusal(400, 'core::request::invalid', 'The request is not valid.', { [field]: [rule] })

export const newTraceId = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`

/** W3C Trace Context, level 2. */
export const TRACE_HEADER = 'traceresponse'

export function sendProblem(reply: FastifyReply, problem: ProblemFields): FastifyReply {
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  return reply
    .code(problem.status)
    .type(PROBLEM_CONTENT_TYPE)
    .send(
      JSON.stringify({
        type: `${PROBLEM_TYPE_PREFIX}${problem.code}`,
        title: problem.title,
        status: problem.status,
        detail: problem.title,
        traceId: reply.getHeader(TRACE_HEADER) ?? newTraceId(),
        ...(problem.errors === undefined ? {} : { errors: problem.errors }),
      }),
    )
}
