import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { invalidField } from '#sandbox/http/problem.ts'

/** Reads the body of a control. Controls take plain JSON numbers, so the exact numbers of the contract are turned back. */
export function readControl<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(request.body ?? {})))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidField(issue?.path.join('.') || 'body', issue?.message ?? 'is not valid')
}
