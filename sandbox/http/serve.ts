import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint, PathParams } from '#lib/contract/endpoint.ts'
import { STEP_UP_HEADER } from '#lib/contract/problem.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { requireStepUp } from '#sandbox/security/grants.ts'
import type { World } from '#sandbox/world/world.ts'
import { bearerOf, type Caller, callerOf, requireScope } from './caller.ts'
import { Refusal } from './problem.ts'

export interface Call<Of extends Endpoint> {
  readonly params: PathParams<Of['path']>
  readonly query: z.output<NonNullable<Of['query']>>
  readonly body: z.output<NonNullable<Of['body']>>
  /** `/sandbox/faults` asks an operation that may answer 202 to do so. */
  readonly slow: boolean
  /** Not yet validated. */
  readonly grant: string | null
}

export interface Gate {
  readonly world: World
  readonly tokens: Tokens
}

export interface Answer {
  readonly status: number
  readonly data: unknown
}

export const ok = (data: unknown): Answer => ({ status: 200, data })

export function serve<Of extends Endpoint>(
  app: FastifyInstance,
  gate: Gate,
  endpoint: Of,
  handle: (call: Call<Of>, caller: Caller) => Promise<Answer>,
): void {
  route(app, endpoint, async (request) => {
    const caller = await callerOf(bearerOf(request.headers.authorization), gate.tokens)
    request.callerId = caller.userId
    if (endpoint.scope !== null) requireScope(caller, endpoint.scope)
    const call = readCall(endpoint, request)
    if (endpoint.stepUp === 'always') await requireStepUp(gate.world, caller.userId, call.grant)
    return await handle(call, caller)
  })
}

export function serveOpen<Of extends Endpoint>(
  app: FastifyInstance,
  endpoint: Of,
  handle: (call: Call<Of>) => Promise<Answer>,
): void {
  route(app, endpoint, (request) => handle(readCall(endpoint, request)))
}

export const routerPath = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1')

function route(app: FastifyInstance, endpoint: Endpoint, answer: (request: FastifyRequest) => Promise<Answer>): void {
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint.path),
    handler: async (request, reply) => {
      const { status, data } = await answer(request)
      if (status === 204) return reply.code(204).send()
      return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ data }))
    },
  })
}

const readCall = <Of extends Endpoint>({ query, body }: Of, request: FastifyRequest) =>
  ({
    params: request.params,
    query: query && readBy(query, request.query),
    body: body && readBy(body, request.body),
    slow: request.fault?.effect === 'accept-202',
    grant: grantOf(request),
  }) as Call<Of>

function grantOf(request: FastifyRequest): string | null {
  const value = request.headers[STEP_UP_HEADER.toLowerCase()]
  return typeof value === 'string' ? value : null
}

export function readBy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Refusal(400, 'core::request::invalid', 'The request is not valid.', fieldErrors(parsed.error))
}

function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const errors = new Map<string, string[]>()
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'body']
    for (const name of names) {
      const message = issue.code === 'unrecognized_keys' ? 'is not a field of this request' : issue.message
      errors.set(name, [...(errors.get(name) ?? []), message])
    }
  }
  return Object.fromEntries(errors)
}
